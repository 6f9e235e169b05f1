import { nameInAddress } from "@frontdesk/core/domain/file-name";
import type { Context } from "../context.ts";
import type { ExportRow } from "../storage/tables.ts";
import { isoTime } from "../timestamp.ts";
import { EXPORT_LIFE_MS, EXPORT_RUN_MS, type ExportState } from "./export.ts";

/** An export as it stands now. */
export interface ShownExport {
  row: ExportRow;
  state: Exclude<ExportState, "requested">;
  /** Until when its file can be had; null while there is none. */
  expiresAt: number | null;
  url: string | null;
}

/** @param exportsUrl the beginning of the addresses of all exports */
export function shownExport({ now }: Pick<Context, "now">, row: ExportRow, exportsUrl: string): ShownExport {
  const state = exportState(row, now);
  // The name is for people: nothing is found by it, and it names nobody.
  const url = state === "done" ? `${exportsUrl}${row.token}/${nameInAddress(exportName(row.requested_at))}` : null;
  return { row, state, expiresAt: expiryOf(row), url };
}

export const exportsUrlOf = (publicUrl: string): string => `${publicUrl}/exports/`;

/** One whose process died at every attempt still says that it runs. */
export function exportState({ state, requested_at }: ExportRow, now: number): ShownExport["state"] {
  return state === "running" && now >= requested_at + EXPORT_RUN_MS ? "failed" : (state as ShownExport["state"]);
}

export function expiryOf({ state, finished_at }: ExportRow): number | null {
  return state !== "done" || finished_at === null ? null : finished_at + EXPORT_LIFE_MS;
}

export function exportName(requestedAt: number): string {
  return `contact-export-${isoTime(requestedAt).slice(0, 10)}.zip`;
}
