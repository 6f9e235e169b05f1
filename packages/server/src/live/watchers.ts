import type { PayloadOf } from "../events/payloads.ts";
import type { LogEntry, WantedDetail } from "../events/read-log.ts";
import { audienceOf, changesSessions, isForBrowsers, maySee, type Viewer } from "./audience.ts";
import { writeForTeam, writeForVisitor } from "./present-live-event.ts";
import { detailFor, lastOfEach, NO_DETAIL } from "./seen-page.ts";

/** A stream that follows a team's log. */
export interface Watcher {
  viewer: Viewer;
  /** Everything up to this number has been sent. */
  at: number;
  /** Takes an event that this viewer may see. */
  send(frame: string): void;
  /** The visitor who watches may be another contact now, or none, or verified for a time. */
  recheck(): void;
  /** A widget of the team was removed. */
  widgetRemoved(widgetId: string): void;
}

/** The streams that follow one team's log at its end. */
export interface Watchers {
  add(watcher: Watcher): void;
  remove(watcher: Watcher): void;
  isEmpty(): boolean;
  /** The detail that any of them needs with an event. */
  wanted(event: { name: string; contact_id: string | null }): WantedDetail;
  /** Hands out a page of the log that ends at `through`; returns how many frames were sent. */
  handOut(entries: readonly LogEntry[], through: number): number;
}

/** An event is written once for all viewers that see the same. */
export function createWatchers(): Watchers {
  const team = new Set<Watcher>();
  const visitors = new Map<string, Set<Watcher>>();

  return {
    add(watcher) {
      if (watcher.viewer.kind === "agent") {
        team.add(watcher);
        return;
      }
      const { contactId } = watcher.viewer;
      const ofContact = visitors.get(contactId) ?? new Set();
      visitors.set(contactId, ofContact.add(watcher));
    },
    remove(watcher) {
      if (watcher.viewer.kind === "agent") {
        team.delete(watcher);
        return;
      }
      const { contactId } = watcher.viewer;
      const ofContact = visitors.get(contactId);
      ofContact?.delete(watcher);
      if (ofContact?.size === 0) visitors.delete(contactId);
    },
    isEmpty: () => team.size === 0 && visitors.size === 0,
    wanted({ name, contact_id }) {
      const { visitor, team: scope } = audienceOf(name);
      if (team.size > 0 && scope !== "nobody") return detailFor(name, "agent");
      return visitor && ofContact(contact_id).size > 0 ? detailFor(name, "visitor") : NO_DETAIL;
    },
    handOut(entries, through) {
      const isLast = lastOfEach(entries.filter(({ event }) => audienceOf(event.name).team !== "nobody"));
      let sent = 0;
      for (const entry of entries) sent += handOutEntry(entry, isLast(entry));
      for (const watcher of [...team, ...[...visitors.values()].flatMap((ofContact) => [...ofContact])]) {
        watcher.at = Math.max(watcher.at, through);
      }
      return sent;
    },
  };

  function handOutEntry(entry: LogEntry, isLast: boolean): number {
    const { event } = entry;
    const audience = audienceOf(event.name);
    let sent = 0;
    if (audience.team !== "nobody" && team.size > 0) {
      const text = writeForTeam(entry, isLast);
      for (const watcher of [...team]) sent += handTo(watcher, event, text);
    }
    const theirs = [...ofContact(event.contact_id)];
    if (audience.visitor && theirs.length > 0 && isForBrowsers(entry)) {
      const text = writeForVisitor(entry);
      for (const watcher of theirs) sent += handTo(watcher, event, text);
    }
    if (event.name === "widget.removed") widgetRemoved(JSON.parse(event.data) as Partial<PayloadOf<"widget.removed">>);
    if (changesSessions(event.name)) for (const watcher of [...ofContact(contactOf(event))]) watcher.recheck();
    return sent;
  }

  function widgetRemoved({ widget }: Partial<PayloadOf<"widget.removed">>): void {
    if (!widget) return;
    for (const watcher of [...visitors.values()].flatMap((ofContact) => [...ofContact]))
      watcher.widgetRemoved(widget.id);
  }

  function ofContact(contactId: string | null): ReadonlySet<Watcher> {
    return (contactId !== null && visitors.get(contactId)) || NONE;
  }
}

const NONE: ReadonlySet<Watcher> = new Set();

/** Whose sessions an event changes; that of an erased contact names them in its data alone. */
function contactOf({ contact_id, data }: LogEntry["event"]): string | null {
  return contact_id ?? (JSON.parse(data) as { visitor?: { id: string } }).visitor?.id ?? null;
}

/** A watcher who has read by itself may be ahead of the feed. Returns how many frames were sent. */
function handTo(watcher: Watcher, event: LogEntry["event"], text: string): 0 | 1 {
  if (event.number <= watcher.at || !maySee(watcher.viewer, event)) return 0;
  watcher.at = event.number;
  watcher.send(text);
  return 1;
}
