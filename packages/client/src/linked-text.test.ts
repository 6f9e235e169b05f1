import { expect, test } from "vitest";
import { linkedText } from "./linked-text.ts";

const linksOf = (text: string) => linkedText(text).flatMap(({ text, href }) => (href ? [[text, href]] : []));

test("an address in a message can be opened, and the text stays as it was written", () => {
  const text = "See https://acme.test/a?b=1, www.acme.test or mail to vera@acme.test.";
  expect(
    linkedText(text)
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
  expect(linksOf(text)).toEqual([
    ["https://acme.test/a?b=1", "https://acme.test/a?b=1"],
    ["www.acme.test", "https://www.acme.test"],
    ["vera@acme.test", "mailto:vera@acme.test"],
  ]);
});

test("what ends the sentence does not end up in the address", () => {
  expect(linksOf("(https://acme.test/a).")).toEqual([["https://acme.test/a", "https://acme.test/a"]]);
  expect(linksOf("https://acme.test/a_(b)!")).toEqual([["https://acme.test/a_(b)", "https://acme.test/a_(b)"]]);
});

test("nothing that could run becomes a link", () => {
  for (const text of ["javascript:alert(1)", "data:text/html,hi", "JaVaScRiPt://acme.test/%0aalert(1)", "http://"]) {
    for (const [, href = ""] of linksOf(text)) expect(href).toMatch(/^(https?|mailto):/);
  }
  expect(linksOf("javascript:alert(1)")).toEqual([]);
});

test("an address longer than any that opens is text", () => {
  expect(linksOf(`https://acme.test/${"a".repeat(1_900)}`)).toHaveLength(1);
  expect(linksOf(`https://acme.test/${"a".repeat(2_100)}`)).toEqual([]);
  expect(linksOf(`${"v".repeat(64)}@acme.test`)).toHaveLength(1);
  expect(linksOf(`${"v".repeat(65)}@acme.test`)).toEqual([]);
});

test("what only begins like a web address is no link", () => {
  for (const text of ["www.", "https://", "http://,", "a www. b"]) expect(linksOf(text)).toEqual([]);
});

/** Each has made a pattern backtrack over the same text, or would with a careless pattern. */
const hostile: Record<string, (length: number) => string> = {
  "letters and hyphens": (length) => "a-".repeat(length / 2),
  "closing brackets behind an address": (length) => `www.a${")".repeat(length)}`,
  "dots inside an address": (length) => `www.a${".".repeat(length)}a`,
  "@ signs": (length) => "@".repeat(length),
  "local parts without a domain": (length) => "a@".repeat(length / 2),
  "domains without an end": (length) => "a@b.".repeat(length / 4),
  "beginnings of web addresses": (length) => "http:/".repeat(length / 6),
  "domains that begin like web addresses": (length) => "a@www.b,".repeat(length / 8),
};

test("a text that is 16 times as long takes about 16 times the work, whatever is in it, and keeps every character", () => {
  for (const [name, textOf] of Object.entries(hostile)) {
    const [short, long] = [textOf(2_400), textOf(38_400)];
    expect(textIn(long), name).toBe(long);
    // Quadratic time would be 256 times the work. The fastest of several runs is the least disturbed one.
    expect(quickest(() => linkedText(long)) / quickest(() => linksOf(short)), name).toBeLessThan(120);
  }
});

const textIn = (text: string) =>
  linkedText(text)
    .map((piece) => piece.text)
    .join("");

function quickest(act: () => unknown): number {
  const runs = Array.from({ length: 4 }, () => {
    const began = process.cpuUsage();
    const times = 4;
    for (let time = 0; time < times; time += 1) act();
    const { user, system } = process.cpuUsage(began);
    return (user + system) / times;
  });
  // The CPU clock may be coarse: less than 5 µs counts as 5 µs.
  return Math.max(5, Math.min(...runs));
}
