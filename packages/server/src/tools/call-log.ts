import { type LoggedCall, logToolCalls } from "../assistants/log-tool-calls.ts";
import type { Logger } from "../logger.ts";
import type { Perform } from "../perform.ts";

/** How long a call that changed nothing waits, to be written together with others. */
const GATHER_MS = 250;
/** This many of a team are written at once, without waiting for more. */
const GATHERED_MAX = 1_000;

/** Adds calls that changed nothing to the log of their team. */
export interface CallLog {
  add(teamId: string, call: LoggedCall): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/**
 * Collects calls for a quarter of a second and writes them in one commit a team: a read must not cost a write of its own. A
 * process that is killed loses the reads of that moment from the log; changes are logged in their own commit.
 */
export function createCallLog({ perform, logger }: { perform: Perform; logger: Logger }): CallLog {
  const gathered = new Map<string, LoggedCall[]>();
  const writing = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;

  return {
    add(teamId, call) {
      const calls = gathered.get(teamId) ?? [];
      calls.push(call);
      gathered.set(teamId, calls);
      if (calls.length >= GATHERED_MAX) write(teamId);
      timer ??= setTimeout(writeAll, GATHER_MS);
    },
    async stop() {
      writeAll();
      await Promise.all(writing);
    },
  };

  function writeAll(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const teamId of [...gathered.keys()]) write(teamId);
  }

  function write(teamId: string): void {
    const calls = gathered.get(teamId) ?? [];
    gathered.delete(teamId);
    const written: Promise<void> = perform({ kind: "system", teamId }, logToolCalls, calls)
      .catch((error) => logger.warn({ err: error, calls: calls.length }, "Cannot log tool calls."))
      .finally(() => writing.delete(written));
    writing.add(written);
  }
}
