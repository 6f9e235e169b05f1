import { expect, test } from "vitest";
import { newAiState, whyNotAgain } from "./ai-state.ts";

const state = newAiState(null);
const answer = (text: string) => ({ act: "answer", text }) as const;
const SAID = "I’m Robin, an AI assistant. You can ask for a person at any time.\n\nParcels arrive within 3 days.";

test.each([
  ["Parcels arrive within 3 days.", "repeated-answer"],
  ["parcels arrive, within 3 days", "repeated-answer"],
  ["Parcels arrive within 3 days. Express ones the next day.", undefined],
  ["within 3 days", undefined],
  ["Parcels arrive within 5 days.", undefined],
])("after the first answer, %j is %s", (text, why) => {
  expect(whyNotAgain(state, answer(text), SAID)).toBe(why);
});

test("small talk is the same again only as a whole", () => {
  expect(whyNotAgain(state, { act: "chat", text: "Robin" }, SAID)).toBeUndefined();
  expect(whyNotAgain(state, { act: "chat", text: "You’re welcome!" }, "You’re welcome!")).toBe("repeated-answer");
});
