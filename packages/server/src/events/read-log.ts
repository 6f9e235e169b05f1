import type { Context, Operation } from "../context.ts";
import { conversationsByIds } from "../conversations/conversation-store.ts";
import { type ConversationView, conversationViews } from "../conversations/conversation-view.ts";
import { messageById } from "../conversations/message-store.ts";
import { type TeamMessage, withWhatTheTeamSees } from "../conversations/team-message.ts";
import { listParam } from "../storage/dialect.ts";
import type { ConversationRow, EventRow } from "../storage/tables.ts";
import { countersOf } from "../teams/team-counters.ts";
import { isErased } from "./erased-event.ts";
import { contactEventsAfter, eventsAfter, oldestEvent } from "./event-store.ts";

/** What to read of the log, and with it. */
export interface LogRequest {
  after: number;
  limit: number;
  /** Only the events about this contact. */
  contactId?: string | undefined;
  /** Whether the end of the log is needed: a follower knows it already. */
  withBounds: boolean;
  /** Which events have a viewer, and in what detail. */
  wanted(event: Pick<EventRow, "name" | "contact_id">): WantedDetail;
}

export interface WantedDetail {
  /** The message that the event is about. */
  message: boolean;
  /** `row`: as its visitor sees it. `view`: as the team does. */
  conversation: "none" | "row" | "view";
}

/** An event with the wanted details, as they are at the moment of reading. */
export interface LogEntry {
  event: EventRow;
  wanted: WantedDetail;
  message: TeamMessage | undefined;
  conversation: ConversationRow | undefined;
  view: ConversationView | undefined;
}

export interface LogPage {
  /** In the order of their numbers. */
  entries: LogEntry[];
  /** Everything requested up to this number is in this page or before it. */
  through: number;
  /** Whether `through` is the end of the log. */
  isEnd: boolean;
  bounds: LogBounds | undefined;
}

export interface LogBounds {
  /** The number of the team's last event. */
  current: number;
  /** The number of the first event that is still stored; undefined when there is none. */
  oldest: number | undefined;
}

/**
 * A page of a team's log with the messages and conversations that its events are about, all of one snapshot. For the live
 * stream, which decides who sees what of it (docs/decisions/0020-live-stream.md).
 */
export const readLog: Operation<LogRequest, LogPage> = {
  name: "read-log",
  mode: "read",
  async run(ctx, request) {
    const [bounds, events] = await Promise.all([
      request.withBounds ? boundsOf(ctx) : undefined,
      eventsOf(ctx, request),
    ]);
    const seen = events.filter((event) => !isErased(event)).map((event) => ({ event, wanted: request.wanted(event) }));
    const [messages, rows, views] = await Promise.all([
      messagesOf(ctx, seen),
      rowsOf(ctx, conversationIds(seen, "row")),
      conversationViews(ctx, conversationIds(seen, "view")),
    ]);
    const entries = seen.flatMap(({ event, wanted }): LogEntry[] => {
      const id = wanted.conversation === "none" ? null : event.conversation_id;
      const view = id === null ? undefined : views.get(id);
      const conversation = view?.conversation ?? (id === null ? undefined : rows.get(id));
      // It is being erased.
      if (id !== null && conversation === undefined) return [];
      return [{ event, wanted, view, conversation, message: messages.get(event.number) }];
    });
    const last = events.at(-1)?.number ?? request.after;
    const isEnd = events.length < request.limit || last === bounds?.current;
    return { entries, bounds, isEnd, through: isEnd ? Math.max(bounds?.current ?? last, last) : last };
  },
};

async function boundsOf(ctx: Context): Promise<LogBounds> {
  const [{ event_number: current }, oldest] = await Promise.all([
    countersOf(ctx),
    ctx.db.first(oldestEvent, { team_id: ctx.teamId }),
  ]);
  return { current, oldest: oldest?.number };
}

type Seen = Pick<LogEntry, "event" | "wanted">;

function eventsOf({ db, teamId }: Context, { after, limit, contactId }: LogRequest): Promise<EventRow[]> {
  if (contactId === undefined) return db.all(eventsAfter, { team_id: teamId, after, limit });
  return db.all(contactEventsAfter, { team_id: teamId, contact_id: contactId, after, limit });
}

/** By the number of their event. */
async function messagesOf(ctx: Context, seen: readonly Seen[]): Promise<Map<number, TeamMessage>> {
  const idOf = new Map(
    seen.filter(({ wanted }) => wanted.message).map(({ event }) => [event.number, messageIdOf(event)]),
  );
  if (idOf.size === 0) return new Map();
  const found = await Promise.all(
    [...new Set(idOf.values())].map((id) => ctx.db.first(messageById, { team_id: ctx.teamId, id })),
  );
  const rows = found.filter((row) => row !== undefined);
  const shown = await withWhatTheTeamSees(ctx, rows);
  const messages = new Map(shown.map((message) => [message.message.id, message]));
  return new Map(
    [...idOf].flatMap(([number, id]) => {
      const message = messages.get(id);
      return message ? [[number, message] as const] : [];
    }),
  );
}

function messageIdOf({ data, number }: EventRow): string {
  const id = (JSON.parse(data) as { message?: { id?: string } }).message?.id;
  if (id === undefined) throw new Error(`The event ${number} is about no message.`);
  return id;
}

function conversationIds(seen: readonly Seen[], detail: WantedDetail["conversation"]): string[] {
  return [
    ...new Set(
      seen.flatMap(({ event, wanted }) => (wanted.conversation === detail ? (event.conversation_id ?? []) : [])),
    ),
  ];
}

async function rowsOf({ db, teamId }: Context, ids: readonly string[]): Promise<Map<string, ConversationRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.all(conversationsByIds, { team_id: teamId, conversation_ids: listParam(ids) });
  return new Map(rows.map((row) => [row.id, row]));
}
