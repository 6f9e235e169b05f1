/** Places the timeline entries of a conversation between its messages. */
import type { TimelineEntry } from "@frontdesk/core/contract/live";
import { type Day, dayAround, isWithin } from "../texts/dates.ts";
import type { ThreadItem } from "./thread-items.ts";
import { withoutUndone } from "./undone-entries.ts";

/**
 * @param items the items from `threadItems`
 * @param timeline oldest first
 * @param hasBefore older messages are not loaded: the entries among those wait for them
 */
export function withTimeline(
  items: readonly ThreadItem[],
  timeline: readonly TimelineEntry[],
  hasBefore: boolean,
): readonly ThreadItem[] {
  const entries = withoutDoubles(withoutUndone(timeline));
  if (entries.length === 0) return items;
  const replaced = new Set(entries.map(({ values }) => values.message_id));
  const first = items.find((item) => item.kind === "message");
  const since = hasBefore && first ? Date.parse(first.message.created_at) : 0;
  const waiting = entries.filter(({ at }) => Date.parse(at) >= since);
  const merged: ThreadItem[] = [];
  let day: Day | undefined;
  /** The day separator and the new mark above the next message. */
  let above: ThreadItem[] = [];

  const addEntriesUntil = (end: number) => {
    for (let next = waiting[0]; next && Date.parse(next.at) < end; next = waiting[0]) {
      waiting.shift();
      const time = Date.parse(next.at);
      if (!day || !isWithin(day, time)) {
        day = dayAround(time);
        merged.push({ kind: "day", key: `day-${next.number}`, at: next.at });
      }
      const before = merged.at(-1);
      // The entry ends a group of messages.
      if (before?.kind === "message" && !before.last) merged[merged.length - 1] = { ...before, last: true };
      merged.push({ kind: "entry", key: `entry-${next.number}`, entry: next });
    }
  };
  for (const item of items) {
    if (item.kind === "day" || item.kind === "new") {
      above.push(item);
      continue;
    }
    if (item.kind !== "message") {
      merged.push(item);
      continue;
    }
    const time = Date.parse(item.message.created_at);
    // An entry with the time of a message was caused by sending it.
    addEntriesUntil(time);
    for (const each of above) {
      if (each.kind === "day" && day && isWithin(day, time)) continue;
      merged.push(each);
    }
    above = [];
    day = dayAround(time);
    if (replaced.has(item.message.id)) continue;
    merged.push(merged.at(-1)?.kind === "entry" && !item.first ? { ...item, first: true } : item);
  }
  addEntriesUntil(Number.POSITIVE_INFINITY);
  return merged;
}

/** Resolving ends a handoff, and so does a return to the built-in AI: one line is enough for both. */
function withoutDoubles(timeline: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const endsHandoff = ({ name, values }: TimelineEntry) =>
    name === "conversation.resolved" || (name === "speaker.changed" && values.speaker === "ai");
  return timeline.filter(
    ({ name, at }) => name !== "handoff.ended" || !timeline.some((other) => other.at === at && endsHandoff(other)),
  );
}
