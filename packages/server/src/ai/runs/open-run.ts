import type { FittingRule } from "@frontdesk/core/domain/ai/handoff-rules";
import type { Context } from "../../context.ts";
import type { AiRunRow } from "../../storage/tables.ts";
import type { LoggedCall, LoggedSearch } from "../turn/turn.ts";
import { type RunDetails, runDetailsPlace } from "./log-run.ts";

/** A run with what was said between it and the model; no calls and no searches where they are not kept. */
export interface ShownRun {
  row: AiRunRow;
  calls: (Omit<LoggedCall, "model"> & { model: string | null })[];
  searches: LoggedSearch[];
  rule: FittingRule | null;
}

/** What the first versions have logged: no searches, and no names of models. */
type Stored = Partial<Omit<RunDetails, "rule">> & {
  rule?: FittingRule | null;
  calls: (Omit<LoggedCall, "model"> & { model?: string })[];
};

export function openRun({ vault }: Pick<Context, "vault">, row: AiRunRow): ShownRun {
  if (row.details_sealed === null) return { row, calls: [], searches: [], rule: null };
  const {
    calls,
    searches = [],
    rule = null,
  }: Stored = JSON.parse(vault.open(row.details_sealed, runDetailsPlace(row)));
  return { row, calls: calls.map((call) => ({ ...call, model: call.model ?? null })), searches, rule };
}
