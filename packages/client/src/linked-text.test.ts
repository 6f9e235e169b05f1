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
    ["www.acme.test", "https://www.acme.test/"],
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
