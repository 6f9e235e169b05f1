import type { Context } from "../../context.ts";
import type { AiRunRow } from "../../storage/tables.ts";
import type { LoggedCall } from "../turn/turn.ts";
import { type RunDetails, runDetailsPlace } from "./log-run.ts";

/** A run with what was said between it and the model; no calls where they are not kept. */
export interface ShownRun {
  row: AiRunRow;
  calls: LoggedCall[];
}

export function openRun({ vault }: Pick<Context, "vault">, row: AiRunRow): ShownRun {
  if (row.details_sealed === null) return { row, calls: [] };
  const { calls } = JSON.parse(vault.open(row.details_sealed, runDetailsPlace(row))) as RunDetails;
  return { row, calls };
}
