import type { LogBounds, LogEntry, LogPage, LogRequest, WantedDetail } from "../events/read-log.ts";
import { audienceOf, isForBrowsers, maySee, type Viewer } from "./audience.ts";
import { writeForTeam, writeForVisitor } from "./present-live-event.ts";

/** Events read at a time. */
export const PAGE = 200;

/** A page of the log as one viewer sees it. */
export interface SeenPage extends Pick<LogPage, "through" | "isEnd"> {
  bounds: LogBounds;
  frames: { number: number; text: string }[];
}

/** Reads a page of one team's log. */
export type ReadTeamLog = (request: LogRequest) => Promise<LogPage>;

/** What a viewer sees of a page of the log after `after`. */
export async function readAsSeen(read: ReadTeamLog, viewer: Viewer, after: number): Promise<SeenPage> {
  const { entries, bounds, through, isEnd } = await read({
    after,
    limit: PAGE,
    withBounds: true,
    ...(viewer.kind === "visitor" && { contactId: viewer.contactId }),
    wanted: (event) => (maySee(viewer, event) ? detailFor(event.name, viewer.kind) : NO_DETAIL),
  });
  const seen = entries.filter(
    (entry) => maySee(viewer, entry.event) && (viewer.kind === "agent" || isForBrowsers(entry)),
  );
  const isLast = lastOfEach(seen);
  const frames = seen.map((entry) => ({
    number: entry.event.number,
    text: viewer.kind === "visitor" ? writeForVisitor(entry) : writeForTeam(entry, isLast(entry)),
  }));
  if (!bounds) throw new Error("A log was read without its bounds.");
  return { frames, bounds, through, isEnd };
}

export const NO_DETAIL: WantedDetail = { message: false, conversation: "none" };

/** What a viewer of this kind is shown with an event. */
export function detailFor(name: string, kind: Viewer["kind"]): WantedDetail {
  const { shows } = audienceOf(name);
  if (shows === "data") return NO_DETAIL;
  return { message: shows === "message", conversation: kind === "agent" ? "view" : "row" };
}

const conversationDetail = { none: 0, row: 1, view: 2 } as const;

export function isMore(wanted: WantedDetail, had: WantedDetail): boolean {
  if (wanted.message && !had.message) return true;
  return conversationDetail[wanted.conversation] > conversationDetail[had.conversation];
}

/**
 * Whether an entry is the last one among these that shows its conversation. Those that are about a conversation without showing it
 * (texts or files of it were erased) must not take its place.
 */
export function lastOfEach(entries: readonly LogEntry[]): (entry: LogEntry) => boolean {
  const shown = entries.filter(({ view }) => view !== undefined);
  const last = new Map(shown.map(({ event }) => [event.conversation_id, event.number]));
  return ({ event }) => last.get(event.conversation_id) === event.number;
}
