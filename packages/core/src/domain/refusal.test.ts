import { expect, test } from "vitest";
import { type Findable, hindered, invalid, notFound, notFoundText, obstacleText, refusalText } from "./refusal.ts";

test("a missing thing has one text, whatever the reason it is not there", () => {
  expect(notFound("conversation").message).toBe("Conversation not found.");
  for (const what of Object.keys(notFoundText) as Findable[]) expect(notFound(what).message).toBe(notFoundText[what]);
});

test("every other refusal has a text of its own", () => {
  expect(new Set(Object.values(refusalText)).size).toBe(Object.keys(refusalText).length);
});

test("an obstacle is told with what to do about it, each in words of its own", () => {
  expect(hindered("resolved").message).toBe("This conversation is resolved. Reopen it first: unresolve-conversation.");
  expect(hindered("handed-over").reason).toEqual({ name: "obstacle", obstacle: "handed-over" });
  expect(new Set(Object.values(obstacleText)).size).toBe(Object.keys(obstacleText).length);
});

test("a validation error lists its messages by field", () => {
  expect(invalid({ name: "Too long.", "agents.0.email": ["Taken."] }).reason).toEqual({
    name: "invalid",
    errors: { name: ["Too long."], "agents.0.email": ["Taken."] },
  });
});
