import { Worker } from "node:worker_threads";
import { joinChunks } from "../../files/join-chunks.ts";
import type { Timeouts } from "../../timeouts.ts";
import type { FileForm, FileText } from "./read-file.ts";
import type { PageText } from "./read-page.ts";
import type { RobotsRules } from "./read-robots.ts";
import type { Sitemap } from "./read-sitemap.ts";

export type DocumentRequest = { bytes: Uint8Array } & (
  | { kind: "page"; address: string; charset: string | undefined }
  | { kind: "sitemap" }
  | { kind: "robots"; address: string; agent: string; pages: readonly string[] }
  | { kind: "file"; form: FileForm }
);
export type DocumentAnswer =
  | { kind: "read"; result: PageText | Sitemap | RobotsRules | FileText }
  | { kind: "failed"; reason: UnreadableDocument };

/** `broken`: the parser has refused it, or has failed. */
export type UnreadableDocument = "broken" | "took-too-long" | "too-much-memory";

interface ResultOf {
  page: PageText;
  sitemap: Sitemap;
  robots: RobotsRules;
  file: FileText;
}
export type DocumentOutcome<Kind extends keyof ResultOf> =
  | { result: ResultOf[Kind] }
  | { unreadable: UnreadableDocument };

/** For each kind. */
const TIME_MAX_MS = { page: 10_000, sitemap: 10_000, robots: 10_000, file: 30_000 } as const;
const HEAP_MAX_MB = 256;
/** Outside of its heap, which the limit above says nothing of: there parsers unpack what a PDF holds. Looked at while it reads. */
const UNPACKED_MAX_BYTES = 256 * 1_048_576;
const LOOK_MS = 100;
/** Deep nesting is recursion in the parsers: it ends as an error, and not as a crash. */
const STACK_MAX_MB = 4;
const IDLE_MS = 30_000;

/**
 * Reads pages of sites and files in a thread of its own, one after the other, so that none can hold up or end the process. As mails
 * (`email/parse/parse-in-worker.ts`).
 */
export class DocumentReader {
  readonly #timeouts: Timeouts;
  readonly #unpackedMaxBytes: number;
  #worker: Worker | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #cancelIdle: () => void = () => {};
  #closed = false;

  constructor({ timeouts, unpackedMaxBytes = UNPACKED_MAX_BYTES }: { timeouts: Timeouts; unpackedMaxBytes?: number }) {
    this.#timeouts = timeouts;
    this.#unpackedMaxBytes = unpackedMaxBytes;
  }

  /** Never fails by the document. @throws when the reader is closed, also while it reads. */
  read<Kind extends keyof ResultOf>(request: Extract<DocumentRequest, { kind: Kind }>): Promise<DocumentOutcome<Kind>> {
    const outcome = this.#last.then(() => this.#read(request));
    this.#last = outcome.catch(() => {});
    return outcome as Promise<DocumentOutcome<Kind>>;
  }

  /** Documents being read are given up. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#endWorker();
    await this.#last;
  }

  async #read(request: DocumentRequest): Promise<DocumentOutcome<keyof ResultOf>> {
    this.#cancelIdle();
    // A copy, which is handed over: the bytes stay the caller's.
    const bytes = await joinChunks([request.bytes]);
    if (this.#closed) throw new Error("the document reader is closed");
    const answer = await this.#ask({ ...request, bytes });
    if (this.#closed) throw new Error("the document reader is closed");
    // After a failure, what the thread still holds or does is not known.
    if (answer.kind === "failed") await this.#endWorker();
    else this.#cancelIdle = this.#timeouts.after(IDLE_MS, () => void this.#endWorker());
    return answer.kind === "read" ? { result: answer.result as PageText } : { unreadable: answer.reason };
  }

  #ask(request: DocumentRequest): Promise<DocumentAnswer> {
    this.#worker ??= startWorker();
    const worker = this.#worker;
    return new Promise((resolve) => {
      const end = (answer: DocumentAnswer) => {
        cancel();
        stopLooking();
        worker.removeAllListeners("message").removeAllListeners("exit");
        resolve(answer);
      };
      const cancel = this.#timeouts.after(TIME_MAX_MS[request.kind], () =>
        end({ kind: "failed", reason: "took-too-long" }),
      );
      const stopLooking = this.#whenTooLarge(worker, () => end({ kind: "failed", reason: "too-much-memory" }));
      let reason: UnreadableDocument = "broken";
      worker.on("message", end);
      worker.removeAllListeners("error").on("error", (error: Error & { code?: string }) => {
        if (error.code === "ERR_WORKER_OUT_OF_MEMORY") reason = "too-much-memory";
      });
      worker.on("exit", () => end({ kind: "failed", reason }));
      worker.postMessage(request, [request.bytes.buffer as ArrayBuffer]);
    });
  }

  #whenTooLarge(worker: Worker, then: () => void): () => void {
    let cancel = () => {};
    const look = async () => {
      // Of a thread that has ended nothing is known.
      const { external_memory: bytes } = await worker.getHeapStatistics().catch(() => ({ external_memory: 0 }));
      if (stopped) return;
      if (bytes > this.#unpackedMaxBytes) then();
      else cancel = this.#timeouts.after(LOOK_MS, look);
    };
    let stopped = false;
    cancel = this.#timeouts.after(LOOK_MS, look);
    return () => {
      stopped = true;
      cancel();
    };
  }

  async #endWorker(): Promise<void> {
    this.#cancelIdle();
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }
}

function startWorker(): Worker {
  const worker = new Worker(new URL("./document-worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MAX_MB, stackSizeMb: STACK_MAX_MB },
    // Nothing of the process' secrets, and none of its options.
    env: {},
    execArgv: [],
    // Parsers write warnings about what they read.
    stdout: true,
    stderr: true,
  });
  worker.unref();
  return worker;
}
