/**
 * What models and visitors write is gone through once, however it is made: a pattern that began again at each of its places would hold
 * the whole process for minutes, and for hours where two of them meet.
 */
import { expect, test } from "vitest";
import { promisesLater } from "./later-promises.ts";
import { citationFilter, readDraft } from "./read-draft.ts";
import { sentencesOf } from "./sentences.ts";

test("a sentence that nearly promises something again and again", () => {
  for (const nearly of ["確認して連絡", "後ほど連絡", "担当者", "our a b ", "我们会稍后"]) {
    expect(promisesLater(nearly.repeat(4_000))).toBe(false);
  }
});

test("white space without an end", () => {
  const blank = " ".repeat(500_000);
  expect(sentencesOf(`a${blank}b`)).toHaveLength(1);
  expect(readDraft(`Three days.${blank}[1]`, 1)).toEqual({ text: "Three days.", cited: [1], unsourced: [] });
  expect(readDraft(`Three days.${blank}x`, 1).cited).toEqual([]);
  const filter = citationFilter();
  expect(filter.push(`Three days.${blank}x${blank}`)).toBe(`Three days.${blank}x`);
  expect(filter.push("[1].") + filter.end()).toBe(".");
});
