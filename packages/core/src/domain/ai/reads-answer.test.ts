import fc from "fast-check";
import { expect, test } from "vitest";
import { modelActs } from "./ai-settings.ts";
import { readModelAnswer } from "./reads-answer.ts";

test.each([
  ["ANSWER\nParcels take two days [1].", "answer", "Parcels take two days [1]."],
  ["answer\nYes [1].", "answer", "Yes [1]."],
  ["\n\n  **ANSWER**\n\nYes [1].", "answer", "Yes [1]."],
  ["**ANSWER:** Yes [1].", "answer", "Yes [1]."],
  ["**ANSWER**: Yes [1].", "answer", "Yes [1]."],
  ["ANSWER: Yes [1].\nNo [2].", "answer", "Yes [1].\nNo [2]."],
  ["ANSWER Yes [1].", "answer", "Yes [1]."],
  ["# Answer\nYes [1].", "answer", "Yes [1]."],
  ["`ASK`\nWhich order?", "ask", "Which order?"],
  ["[CHAT]\nHello!", "chat", "Hello!"],
  ["<ANSWER>\nYes [1].", "answer", "Yes [1]."],
  ["```\nCHAT\nHello!\n```", "chat", "Hello!"],
  ["HANDOFF", "handoff", ""],
  ["Handoff.", "handoff", ""],
  ["HANDOFF\nThe articles say nothing of it.", "handoff", "The articles say nothing of it."],
  ["DONE", "done", ""],
  ["Done\r\nGlad that it helped.", "done", "Glad that it helped."],
  ["\uFEFFANSWER：はい [1]。", "answer", "はい [1]。"],
])("%j says what to do in its first line", (written, act, text) => {
  expect(readModelAnswer(written)).toEqual({ act, text });
});

test.each([
  "",
  " \n ",
  "Parcels take two days [1].",
  "Sure! ANSWER\nYes [1].",
  "ANSWERED\nYes.",
  "Answering your question: yes.",
  "Done well, a parcel arrives in two days.",
  "Ask the driver for a receipt.",
  "Chat with us at any time.",
  "ANSWER",
  "ASK:",
  "CHAT\n\n",
  "Let me think.\nHANDOFF",
])("%j is unreadable", (written) => {
  expect(readModelAnswer(written)).toBeUndefined();
});

test.each([
  ["ANSWER UPSET\nYes [1].", "answer", "Yes [1]."],
  ["answer UPSET\nYes [1].", "answer", "Yes [1]."],
  ["**ANSWER UPSET:** Yes [1].", "answer", "Yes [1]."],
  ["ANSWER (UPSET)\nYes [1].", "answer", "Yes [1]."],
  ["ANSWER, UPSET: Yes [1].", "answer", "Yes [1]."],
  ["CHAT | UPSET\nI see.", "chat", "I see."],
  ["HANDOFF UPSET", "handoff", ""],
])("%j marks an upset visitor", (written, act, text) => {
  expect(readModelAnswer(written)).toEqual({ act, text, isUpset: true });
});

test.each([
  ["ANSWER\nUPSET stomachs need rest [1].", "UPSET stomachs need rest [1]."],
  ["ANSWER Upset stomachs need rest [1].", "Upset stomachs need rest [1]."],
  ["ANSWER UPSETTING [1].", "UPSETTING [1]."],
])("%j is no mark", (written, text) => {
  expect(readModelAnswer(written)).toEqual({ act: "answer", text });
});

test("whatever follows a first line of the protocol is kept as it was written", () => {
  const text = fc.string({ unit: "grapheme", minLength: 1 }).filter((said) => /^\S(.*\S)?$/su.test(said));
  fc.assert(
    fc.property(fc.constantFrom(...modelActs), text, (act, said) => {
      fc.pre(!/[\r`]/.test(said));
      expect(readModelAnswer(`${act.toUpperCase()}\n${said}`)).toEqual({ act, text: said });
    }),
  );
});

test("no text makes reading take long", () => {
  for (const begin of ["*", "#", " ", "ANSWER:", "-", "`"]) {
    expect(() => readModelAnswer(begin.repeat(200_000))).not.toThrow();
  }
});
