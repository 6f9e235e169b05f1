import type { Context } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import type { EventRow } from "../storage/tables.ts";
import { blankAttempts } from "./erase-rows-store.ts";
import { replaceData } from "./redact-store.ts";

interface Payload {
  message?: { id: string; content?: string; attachments: unknown[] };
  /** Of a rating. */
  comment?: string | null;
}

/**
 * Takes the texts and files, or the files alone, out of the payloads of events, and out of what receivers answered.
 *
 * @param messageIds only of these messages; left out: everything that visitors and agents wrote
 */
export function emptyPayloads(
  ctx: Context,
  events: readonly Pick<EventRow, "id" | "number" | "data">[],
  what: "texts" | "files",
  messageIds?: ReadonlySet<string>,
): void {
  for (const { number, data } of events) {
    const payload = JSON.parse(data) as Payload;
    const { message } = payload;
    if (message && (messageIds === undefined || messageIds.has(message.id))) {
      message.attachments = [];
      if (what === "texts") delete message.content;
    }
    if (messageIds === undefined && payload.comment !== undefined) payload.comment = null;
    const emptied = JSON.stringify(payload);
    if (emptied !== data) ctx.write(replaceData, { team_id: ctx.teamId, number, data: emptied });
  }
  if (events.length > 0)
    ctx.write(blankAttempts, { team_id: ctx.teamId, event_ids: listParam(events.map(({ id }) => id)) });
}
