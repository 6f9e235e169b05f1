import { Worker } from "node:worker_threads";
import { joinChunks } from "../../files/join-chunks.ts";
import type { Timeouts } from "../../timeouts.ts";
import { emptyMailHead, HEADERS_MAX_BYTES, type MailHead } from "./mail-head.ts";
import type { MailHtml, ParsedMail } from "./parsed-mail.ts";
import type { UnreadableReason } from "./unreadable.ts";

export type ParseStep = "whole" | "text" | "html" | "head";
export interface ParseRequest {
  bytes: Uint8Array;
  step: ParseStep;
}
export type ParseAnswer =
  | { kind: "mail"; mail: ParsedMail }
  | { kind: "html"; html: MailHtml | null }
  | { kind: "head"; head: MailHead }
  | { kind: "failed"; reason: UnreadableReason };

/** `textOnly`: reading the whole failed for that reason; its files and its HTML as text are in the original alone. */
export type ParseOutcome =
  | { mail: ParsedMail; textOnly: UnreadableReason | null }
  | { unreadable: UnreadableReason; head: MailHead };

/** For each step. */
const TIME_MAX_MS = 10_000;
const HEAP_MAX_MB = 256;
/** A thread takes some 20 MB: it ends when no mail has come for a while. */
const IDLE_MS = 60_000;

/**
 * Reads mails in a thread of its own, one after the other, so that no mail can hold up or end the process:
 *
 *     whole --ok--> mail
 *       |  `--beyond a bound--> head --> unreadable
 *       `--too long, too much memory, a defect--> text --ok--> mail (textOnly)
 *                                                  `--> head --> unreadable
 */
export class MailParser {
  readonly #timeouts: Timeouts;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #cancelIdle: () => void = () => {};
  #closed = false;

  constructor({ timeouts }: { timeouts: Timeouts }) {
    this.#timeouts = timeouts;
  }

  /** Never fails by the mail. @throws when the parser is closed, also while it reads. */
  parse(bytes: Uint8Array): Promise<ParseOutcome> {
    return this.#inTurn(() => this.#parse(bytes));
  }

  /** The mail alone; undefined for one that cannot be read. @throws as `parse` */
  readonly readMail = async (bytes: Uint8Array): Promise<ParsedMail | undefined> => mailIn(await this.parse(bytes));

  /**
   * The same of a mail that is shown.
   *
   * @param load called when its turn comes: what waits takes no memory
   * @throws as `parse`, and what `load` throws
   */
  async readStored(load: () => Promise<Uint8Array>): Promise<ParsedMail | undefined> {
    return mailIn(await this.#inTurn(async () => this.#parse(await load())));
  }

  /** The HTML of a mail, to show it; undefined for one without, or whose HTML cannot be read. @throws as `readStored` */
  readHtml(load: () => Promise<Uint8Array>): Promise<MailHtml | undefined> {
    return this.#inTurn(async () => {
      this.#cancelIdle();
      const answer = await this.#ask(await load(), "html");
      return this.#idle(answer.kind === "html" ? (answer.html ?? undefined) : undefined);
    });
  }

  #inTurn<Outcome>(read: () => Promise<Outcome>): Promise<Outcome> {
    const outcome = this.#last.then(read);
    this.#last = outcome.catch(() => {});
    return outcome;
  }

  /** Mails being read are given up. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#endWorker();
    await this.#last;
  }

  async #parse(bytes: Uint8Array): Promise<ParseOutcome> {
    this.#cancelIdle();
    const whole = await this.#ask(bytes, "whole");
    if (whole.kind === "mail") return this.#idle({ mail: whole.mail, textOnly: null });
    const unreadable = whole.kind === "failed" ? whole.reason : "parser-failed";
    if (["took-too-long", "too-much-memory", "parser-failed"].includes(unreadable)) {
      const text = await this.#ask(bytes, "text");
      if (text.kind === "mail" && (text.mail.text ?? text.mail.html)) {
        return this.#idle({ mail: text.mail, textOnly: unreadable });
      }
    }
    const head = await this.#ask(bytes.subarray(0, HEADERS_MAX_BYTES), "head");
    return this.#idle({ unreadable, head: head.kind === "head" ? head.head : emptyMailHead() });
  }

  async #ask(bytes: Uint8Array, step: ParseStep): Promise<ParseAnswer> {
    // A copy, which is handed over: the bytes stay the caller's.
    const handed = await joinChunks([bytes]);
    if (this.#closed) throw new Error("the mail parser is closed");
    this.#worker ??= startWorker();
    const worker = this.#worker;
    const answer = await new Promise<ParseAnswer>((resolve) => {
      const end = (ended: ParseAnswer) => {
        cancel();
        worker.removeAllListeners("message").removeAllListeners("exit");
        resolve(ended);
      };
      const cancel = this.#timeouts.after(TIME_MAX_MS, () => end({ kind: "failed", reason: "took-too-long" }));
      let reason: UnreadableReason = "parser-failed";
      worker.on("message", end);
      worker.removeAllListeners("error").on("error", (error: Error & { code?: string }) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") reason = "too-much-memory";
      });
      worker.on("exit", () => end({ kind: "failed", reason }));
      worker.postMessage({ bytes: handed, step } satisfies ParseRequest, [handed.buffer]);
    });
    if (this.#closed) throw new Error("the mail parser is closed");
    // After a failure, what the thread still holds or does is not known.
    if (answer.kind === "failed") await this.#endWorker();
    return answer;
  }

  #idle<Outcome>(outcome: Outcome): Outcome {
    this.#cancelIdle = this.#timeouts.after(IDLE_MS, () => void this.#endWorker());
    return outcome;
  }

  async #endWorker(): Promise<void> {
    this.#cancelIdle();
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

const mailIn = (outcome: ParseOutcome): ParsedMail | undefined => ("mail" in outcome ? outcome.mail : undefined);

function startWorker(): Worker {
  const worker = new Worker(new URL("./parse-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB },
    // Nothing of the process' secrets, and none of its options.
    env: {},
    execArgv: [],
  });
  worker.unref();
  return worker;
}
