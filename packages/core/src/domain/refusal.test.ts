import { expect, test } from "vitest";
import { type Findable, invalid, notFound, notFoundText, refusalText } from "./refusal.ts";

test("a missing thing has one text, whatever the reason it is not there", () => {
  expect(notFound("conversation").message).toBe("Conversation not found.");
  for (const what of Object.keys(notFoundText) as Findable[]) expect(notFound(what).message).toBe(notFoundText[what]);
});

test("every other refusal has a text of its own", () => {
  expect(new Set(Object.values(refusalText)).size).toBe(Object.keys(refusalText).length);
});

test("a validation error lists its messages by field", () => {
  expect(invalid({ name: "Too long.", "agents.0.email": ["Taken."] }).reason).toEqual({
    name: "invalid",
    errors: { name: ["Too long."], "agents.0.email": ["Taken."] },
  });
});
