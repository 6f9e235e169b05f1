import type { TimelineEntry, TimelineEntryName } from "@frontdesk/core/contract/live";

/** The undo of a toast is offered for six seconds, and its request may take a while. */
const UNDO_MS = 10_000;

/** What an entry undoes. */
const UNDOES: Partial<Record<TimelineEntryName, TimelineEntryName>> = {
  "conversation.resolved": "conversation.reopened",
  "conversation.reopened": "conversation.resolved",
  "conversation.unsnoozed": "conversation.snoozed",
  "agent.assigned": "agent.unassigned",
  "agent.unassigned": "agent.assigned",
  "tag.assigned": "tag.removed",
  "tag.removed": "tag.assigned",
};

/**
 * The timeline without changes that their agent has undone at once, and without the undo. The event log keeps both.
 *
 * @param timeline oldest first
 */
export function withoutUndone(timeline: readonly TimelineEntry[]): readonly TimelineEntry[] {
  const shown: TimelineEntry[] = [];
  for (const entry of timeline) {
    const undone = undoneBy(entry, shown);
    if (undone) shown.splice(shown.indexOf(undone), 1);
    else shown.push(entry);
  }
  return shown;
}

function undoneBy(entry: TimelineEntry, earlier: readonly TimelineEntry[]): TimelineEntry | undefined {
  const name = UNDOES[entry.name];
  if (!name || entry.by?.kind !== "agent") return undefined;
  const ofSame = earlier.filter(
    (other) =>
      (other.name === name || other.name === entry.name) &&
      other.values.agent_id === entry.values.agent_id &&
      other.values.tag === entry.values.tag,
  );
  const [before, latest] = [ofSame.at(-2), ofSame.at(-1)];
  if (latest?.name !== name || latest.by?.id !== entry.by.id) return undefined;
  // A snooze that replaced another: without it, the first one would seem to go on.
  if (before?.name === name) return undefined;
  return Date.parse(entry.at) - Date.parse(latest.at) <= UNDO_MS ? latest : undefined;
}
