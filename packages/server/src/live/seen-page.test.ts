import { expect, test } from "vitest";
import type { LogEntry } from "../events/read-log.ts";
import { lastOfEach } from "./seen-page.ts";

/** An event about the conversation; one that shows the conversation has its view. */
const entry = (number: number, conversation_id: string | null, shows: boolean) =>
  ({ event: { number, conversation_id }, view: shows ? {} : undefined }) as LogEntry;

test("a conversation is shown with its last event that shows it, whatever is erased of it in the same page", () => {
  const entries = [
    ...[entry(1, "vera", true), entry(2, "vera", true), entry(3, "will", true)],
    ...[entry(4, "vera", false), entry(5, null, false)],
  ];
  const isLast = lastOfEach(entries);
  expect(entries.filter(isLast).map(({ event }) => event.number)).toEqual([2, 3]);
});
