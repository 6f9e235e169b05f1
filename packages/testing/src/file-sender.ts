/** Vera's browser and Ada's program, uploading and downloading files. */
import { randomUUID } from "node:crypto";
import { newVisitorToken } from "./browser-visitor.ts";
import { overTheWire, type WireAnswer } from "./second-app.ts";
import type { TestTeam } from "./test-kit.ts";

export interface SentFile {
  url: string;
  name: string;
  mime: string;
  size: number;
}

/** @param base the server's origin */
export function veraWithFiles(base: string, { widgetId }: Pick<TestTeam, "widgetId">, token = newVisitorToken()) {
  const headers = { authorization: `Bearer ${token}` };
  const upload = (name: string, body: Buffer | string, more: Record<string, string> = {}): Promise<WireAnswer> => {
    const path = `/visitor/${widgetId}/files?name=${encodeURIComponent(name)}`;
    return overTheWire(base, { method: "POST", path, headers: { ...headers, ...length(body), ...more }, body });
  };
  const write = (attachments: object[], more: object = {}): Promise<WireAnswer> => {
    const body = JSON.stringify({ client_id: randomUUID(), content: "", attachments, ...more });
    const type = { "content-type": "application/json" };
    const path = `/visitor/${widgetId}/messages`;
    return overTheWire(base, { method: "POST", path, headers: { ...headers, ...type, ...length(body) }, body });
  };
  return {
    token,
    upload,
    write,
    /** Uploads a file that is accepted. */
    async sends(name: string, body: Buffer | string): Promise<SentFile> {
      const answer = await upload(name, body);
      if (answer.status !== 201) throw new Error(`The file was not taken: ${answer.text}`);
      return answer.body.file;
    },
  };
}

export function uploadAs(base: string, { apiKey }: Pick<TestTeam, "apiKey">, name: string, body: Buffer | string) {
  const path = `/api/v1/files?name=${encodeURIComponent(name)}`;
  return overTheWire(base, { method: "POST", path, headers: { "x-api-key": apiKey, ...length(body) }, body });
}

/** Downloads the file of an address from `base`, whatever its host. */
export function fetchFile(base: string, url: string, headers: Record<string, string> = {}, method = "GET") {
  return overTheWire(base, { method, path: new URL(url).pathname, headers });
}

const length = (body: Buffer | string) => ({ "content-length": String(Buffer.byteLength(body)) });
