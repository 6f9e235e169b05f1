/** Which of the queues of many teams is next (docs/decisions/0014). */
import { expect, test } from "vitest";
import { waitingLines } from "./waiting-lines.ts";

const [vera, will] = [
  { teamId: "acme", name: "vera" },
  { teamId: "acme", name: "will" },
];
const sam = { teamId: "sams", name: "sam" };
const anybody = () => true;

test("the teams go one after the other, and within a team it is first come, first served", () => {
  const lines = waitingLines<{ teamId: string; name: string }>();
  for (const one of [vera, will, sam]) lines.add(one);
  expect([1, 2, 3, 4].map(() => lines.next(anybody)?.name)).toEqual(["vera", "sam", "will", undefined]);
});

test("what is added again keeps its place, and what was deleted does not come", () => {
  const lines = waitingLines<{ teamId: string; name: string }>();
  for (const one of [vera, will, vera, sam]) lines.add(one);
  lines.delete(sam);
  expect([1, 2, 3].map(() => lines.next(anybody)?.name)).toEqual(["vera", "will", undefined]);
});

test("a team that may not be next holds up no other one", () => {
  const lines = waitingLines<{ teamId: string; name: string }>();
  for (const one of [vera, sam]) lines.add(one);
  expect(lines.next((teamId) => teamId !== "acme")).toBe(sam);
  expect(lines.next((teamId) => teamId !== "acme")).toBeUndefined();
  expect(lines.next(anybody)).toBe(vera);
});
