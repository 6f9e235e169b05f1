/** Requests as they go over the wire, and how to show one to a person. */
import { type Agent, request as httpRequest } from "node:http";
import type { KnownIds } from "./known-ids.ts";
import { bodyOf, type Draft } from "./request-arbitrary.ts";

/** A request whole and final: sending it again sends the same bytes. */
export interface WireRequest {
  method: string;
  /** From the root, with the query. */
  target: string;
  headers: Record<string, string | string[]>;
  body: string | Buffer | undefined;
}

export interface WireAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  milliseconds: number;
}

/** Makes a draft final: real ids in place of its placeholders, and the API key. */
export function finished(draft: Draft, ids: KnownIds, apiKey: string): WireRequest {
  const { operation, method, params, query, rawQuery, key } = draft;
  const filled = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, ids.fill(value)]));
  // By chance alone, a delivery and its own subscription would hardly ever come together.
  const webhook = ids.webhookOf(filled.delivery ?? "");
  if (webhook && params.webhook?.startsWith("{{")) filled.webhook = webhook;
  if (method === "DELETE" && draft.wrongs.length === 0) Object.assign(filled, ids.putBelow(operation.path));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) => pathPart(filled[name] ?? ""));
  const pairs = query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(ids.fill(value))}`);
  const text = [...pairs, ...(rawQuery ? [rawQuery] : [])].join("&");
  const body = bodyOf(draft);
  return {
    method,
    target: `/api/v1${path}${text ? `?${text}` : ""}`,
    headers: {
      ...draft.headers,
      ...(key === "right" && { "x-api-key": apiKey }),
      ...(key === "wrong" && { "x-api-key": `${apiKey.slice(0, -1)}${apiKey.endsWith("0") ? "1" : "0"}` }),
      ...(key === "twice" && { "x-api-key": [apiKey, apiKey] }),
    },
    body: typeof body === "string" ? ids.fill(body) : body,
  };
}

/** Dots alone would be a step up in the path, for proxies and for `curl`. */
function pathPart(text: string): string {
  return /^\.{1,2}$/.test(text) ? text.replaceAll(".", "%2e") : encodeURIComponent(text);
}

/** Sends it over a socket; never longer than `patienceMs`. */
export function send(origin: string, agent: Agent, request: WireRequest, patienceMs: number): Promise<WireAnswer> {
  const { hostname, port } = new URL(origin);
  const { method, target, headers, body } = request;
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const sent = httpRequest(
      {
        hostname,
        port,
        agent,
        method,
        path: target,
        headers: { ...length, ...headers },
        signal: AbortSignal.timeout(patienceMs),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
            milliseconds: performance.now() - from,
          }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The request as a shell command; the API key stands in `$API_KEY`. */
export function asCurl(origin: string, apiKey: string, { method, target, headers, body }: WireRequest): string {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value].flat().map((one) => `-H ${one === apiKey ? `"${name}: $API_KEY"` : quoted(`${name}: ${one}`)}`),
  );
  const bytes = body === undefined ? undefined : Buffer.from(body);
  const plain = bytes && !/[^\t\n\x20-\x7e]/.test(bytes.toString("latin1"));
  const data = bytes && (plain ? `--data-binary ${quoted(bytes.toString())}` : "--data-binary @-");
  const curl = ["curl -i -g --path-as-is", `-X ${method}`, ...lines, data, quoted(`${origin}${target}`)].filter(
    Boolean,
  );
  return `${bytes && !plain ? `echo ${bytes.toString("base64")} | base64 -d | ` : ""}${curl.join(" ")}`;
}
