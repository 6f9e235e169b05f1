/** What is searched for of a burst of messages (docs/decisions/0079-hybrid-search.md). */
import { SEARCH_MAX } from "@frontdesk/core/contract/fields";
import { expect, test } from "vitest";
import { searchesOf } from "./searches-of-burst.ts";

test("of a long message its sentences that ask come first", () => {
  const story = "I have bought a zip and it broke after a day! ".repeat(8);
  const [first, second] = searchesOf([`${story}Can it be repaired?! And what does it cost? ${story}`]);
  expect([first, second]).toEqual(["Can it be repaired?", "And what does it cost?"]);
});

// A pattern that went through it from each of its places would take hours.
test("a long message without a question mark is gone through once", () => {
  const [first] = searchesOf(["ab".repeat(400_000)]);
  expect(first).toHaveLength(SEARCH_MAX);
});
