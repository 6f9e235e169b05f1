/** docs/decisions/0079-hybrid-search.md: how articles are cut into passages. */
import { codePoint } from "@frontdesk/testing/code-point";
import { array, assert, constantFrom, integer, property, string } from "fast-check";
import { expect, test } from "vitest";
import { PASSAGE_MAX, passagesOf, piecesOf, WHOLE_ARTICLE_MAX } from "./passages.ts";

test("an article of up to 3,000 characters is one passage, as it was written", () => {
  const answer = "We repair zips. \n".repeat(200).slice(0, WHOLE_ARTICLE_MAX);
  expect(passagesOf({ question: "Zip?", answer })).toEqual([{ title: "Zip?", text: answer }]);
});

test("a longer one is cut at its headings, and each passage has its title", () => {
  const section = (name: string) => `## ${name}\n\n${`About ${name}, in a sentence. `.repeat(30).trim()}`;
  const names = ["returns", "refunds", "repairs", "delivery", "payment"];
  const passages = passagesOf({ question: "Help", answer: names.map(section).join("\n\n") });
  expect(passages.map(({ text }) => text)).toEqual(names.map(section));
  expect(new Set(passages.map(({ title }) => title))).toEqual(new Set(["Help"]));
});

test("a section that is too long is cut between paragraphs, then sentences", () => {
  const paragraph = (word: string) => `${word} is one sentence here. `.repeat(20).trim();
  const text = ["Alpha", "Beta", "Gamma", "Delta"].map(paragraph).join("\n\n");
  expect(piecesOf(text, 1_200)).toEqual([
    `${paragraph("Alpha")}\n\n${paragraph("Beta")}`,
    `${paragraph("Gamma")}\n\n${paragraph("Delta")}`,
  ]);
  for (const piece of piecesOf(text, 100)) expect(piece).toMatch(/here\.$/);
});

test("any text is cut into pieces that fit, and no character is lost or there twice", () => {
  const part = constantFrom(
    "\n\n",
    "\n",
    "# Heading\n",
    " ",
    "word",
    "sentence. ",
    "退货政策。",
    "👩‍👩‍👧",
    "x".repeat(60),
  );
  const text = array(part, { maxLength: 80 }).map((parts) => parts.join(""));
  assert(
    property(text, string({ unit: codePoint }), integer({ min: 4, max: 200 }), (some, more, max) => {
      const whole = some + more;
      const pieces = piecesOf(whole, max);
      for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(max);
      const letters = (one: string) => one.replaceAll(/\s/gu, "");
      expect(letters(pieces.join(""))).toBe(letters(whole));
    }),
  );
});

test("a cut costs little room: two pieces beside one another would not fit into one", () => {
  const sentence = "A sentence of some words. ";
  const pieces = piecesOf(sentence.repeat(500), PASSAGE_MAX);
  expect(pieces.length).toBeLessThan((sentence.length * 500) / (PASSAGE_MAX * 0.9));
});
