/** The thread in which pages and files are read (`read-in-worker.ts`): one at a time, each request with its answer. */
import { parentPort } from "node:worker_threads";
import { TooMuchUnpacked } from "./open-zip.ts";
import { readFile } from "./read-file.ts";
import type { DocumentAnswer, DocumentRequest } from "./read-in-worker.ts";
import { readPage } from "./read-page.ts";
import { readRobots } from "./read-robots.ts";
import { readSitemap } from "./read-sitemap.ts";

parentPort?.on("message", async (request: DocumentRequest) => {
  parentPort?.postMessage(await answerTo(request));
});

async function answerTo(request: DocumentRequest): Promise<DocumentAnswer> {
  try {
    switch (request.kind) {
      case "page":
        return { kind: "read", result: readPage(inCharset(request.bytes, request.charset), request.address) };
      case "sitemap":
        return { kind: "read", result: readSitemap(inCharset(request.bytes, undefined)) };
      case "robots":
        return { kind: "read", result: readRobots(new TextDecoder().decode(request.bytes), request) };
      case "file":
        return { kind: "read", result: await readFile(request.bytes, request.form) };
      default:
        return request satisfies never;
    }
  } catch (error) {
    return { kind: "failed", reason: error instanceof TooMuchUnpacked ? "too-much-memory" : "broken" };
  }
}

/** By the header, else by what the beginning of the page says. */
function inCharset(bytes: Uint8Array, declared: string | undefined): string {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 2_048)).toString("latin1");
  const inside = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]{1,40})/i.exec(start)?.[1];
  try {
    return new TextDecoder(declared ?? inside ?? "utf-8").decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
