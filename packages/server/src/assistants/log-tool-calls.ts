import type { Context, Operation } from "../context.ts";
import { rowsParam } from "../storage/dialect.ts";
import { insertToolCalls } from "./tool-call-store.ts";

/**
 * `done`: it did what it says. `confirmation`: it asked for one, and changed nothing. `refused`: the product refused. `failed`:
 * an internal error.
 */
export type CallOutcome = "done" | "confirmation" | "refused" | "failed";

/** A call of a tool as the team's log stores it. */
export interface LoggedCall {
  assistantId: string;
  tool: string;
  /** JSON, unchanged, without a confirmation token. */
  arguments: string;
  outcome: CallOutcome;
  /** Why it was refused. */
  message: string | null;
  durationMs: number;
  /** When it began, ms since the epoch. */
  calledAt: number;
}

/** Writes calls into the log that changed nothing, and so have no commit of their own. */
export const logToolCalls: Operation<readonly LoggedCall[], void> = {
  name: "log-tool-calls",
  mode: "write",
  async run(ctx, calls) {
    write(ctx, calls);
  },
};

/** `operation`, and its row in the call log in the same commit: every change of an assistant is in its log. */
export function logged<Input, Result extends object>(
  operation: Operation<Input, Result>,
  call: () => Omit<LoggedCall, "outcome" | "message">,
): Operation<Input, Result> {
  return {
    ...operation,
    async run(ctx, input) {
      const result = await operation.run(ctx, input);
      const outcome = "confirmation_required" in result ? "confirmation" : "done";
      write(ctx, [{ ...call(), outcome, message: null }]);
      return result;
    },
  };
}

function write(ctx: Context, calls: readonly LoggedCall[]): void {
  const rows = calls.map(({ assistantId, durationMs, calledAt, ...call }) => ({
    assistant_id: assistantId,
    id: ctx.newId(),
    ...call,
    duration_ms: durationMs,
    called_at: calledAt,
  }));
  ctx.write(insertToolCalls, { team_id: ctx.teamId, rows: rowsParam(rows) });
}
