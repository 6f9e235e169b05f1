/** The thread in which mails are read (`parse-in-worker.ts`): one at a time, each request with its answer. */
import { parentPort } from "node:worker_threads";
import { readMailHead } from "./mail-head.ts";
import type { ParseAnswer, ParseRequest } from "./parse-in-worker.ts";
import { parseMail, parseMailText, readMailHtml } from "./parse-mail.ts";
import { MailRefused } from "./unreadable.ts";

parentPort?.on("message", async (request: ParseRequest) => {
  const answer = await answerTo(request);
  // Handed over rather than copied.
  const buffers = answer.kind === "mail" ? answer.mail.parts.map(({ content }) => content.buffer as ArrayBuffer) : [];
  parentPort?.postMessage(answer, [...new Set(buffers)]);
});

async function answerTo({ bytes, step }: ParseRequest): Promise<ParseAnswer> {
  try {
    switch (step) {
      case "whole":
        return { kind: "mail", mail: await parseMail(bytes) };
      case "text":
        return { kind: "mail", mail: await parseMailText(bytes) };
      case "html":
        return { kind: "html", html: await readMailHtml(bytes) };
      case "head":
        return { kind: "head", head: readMailHead(bytes) };
    }
  } catch (error) {
    return { kind: "failed", reason: error instanceof MailRefused ? error.reason : "parser-failed" };
  }
}
