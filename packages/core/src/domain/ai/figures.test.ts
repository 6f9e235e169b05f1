import { describe, expect, test } from "vitest";
import { unsupportedFigures } from "./figures.ts";

const stands = (claim: string, source: string) => unsupportedFigures(claim, source).length === 0;

describe("a figure is the same however it is written", () => {
  test.each([
    ["1.234,50 €", "EUR 1,234.50"],
    ["1 234,50 €", "€1,234.50"],
    ["1’234.50 CHF", "CHF 1234.50"],
    ["₹1,00,000", "100000 rupees"],
    ["٣٠ يوما", "30 days"],
    ["३० दिन", "30 days"],
    ["３０日以内", "30 days"],
    ["two weeks", "2 weeks"],
    ["zwei Wochen", "two weeks"],
    ["两周", "2 weeks"],
    ["三十日以内", "30 days"],
    ["两百五十元", "250元"],
    ["一万二千円", "12000円"],
    ["百分之八十", "80%"],
    ["fünfundachtzig Euro", "85 €"],
    ["eighty dollars", "$80"],
    ["Ⅷ", "VIII or Ⅷ"],
    ["30 business days", "30-day period"],
    ["5 pm", "17:00"],
    ["5 p.m.", "17.00 Uhr"],
    ["17 h 30", "5:30 PM"],
    ["17h30", "17:30"],
    ["午後ではなく17時", "17:00"],
    ["9am", "9–17"],
    ["25. Dezember 2026", "2026-12-25"],
    ["December 25", "25.12.2026"],
    ["12/25/2026", "25 December 2026"],
    ["25 декабря", "25.12.2026"],
    ["25 de diciembre", "December 25th"],
    ["2026年12月25日", "25 Dec 2026"],
    ["December 25", "24–26 December and 25 December"],
    ["+49 30 123456", "030 123456"],
    ["0049 (30) 123-456", "+49 30 123456"],
    ["HELP@acme.test", "help@acme.test"],
    ["20 percent", "20 %"],
    ["20 Prozent", "20%"],
    ["20 por ciento", "20%"],
    ["model RX-500", "rx-500 is out"],
    ["version 2.4.1", "2.4.1"],
    ["order 123456789", "Order no. 123456789"],
    ["1. First\n2. Second", "nothing"],
    ["There are two ways, and one is best.", "nothing"],
  ])("%j stands in %j", (claim, source) => {
    expect(stands(claim, source)).toBe(true);
  });
});

describe("another figure is caught", () => {
  test.each([
    ["sixteen days", "14 days"],
    ["eighty dollars", "50 dollars"],
    ["a thousand dollars", "100 dollars"],
    ["achtzig Euro", "50 Euro"],
    ["fünfundachtzig Euro", "80 Euro"],
    ["ochenta euros", "50 euros"],
    ["oitenta euros", "50 euros"],
    ["восемьдесят рублей", "50 рублей"],
    ["ثمانون يورو", "50 يورو"],
    ["अस्सी रुपये", "50 रुपये"],
    ["八十元", "50元"],
    ["两百元", "100元"],
    ["八千ドル", "800ドル"],
    ["百分之八十", "50%"],
    ["Ⅷ €", "50 €"],
    ["➑ €", "50 €"],
    ["1.234,50 €", "EUR 1,234.60"],
    ["1.500 €", "1,5 €"],
    ["30 $", "30 €"],
    ["30 hours", "30 days"],
    ["three weeks", "2 weeks"],
    ["三十日以内", "20 days"],
    ["5 pm", "5 am"],
    ["5:00", "17:00"],
    ["9 pm", "9:00–17:00"],
    ["26 December", "25 December"],
    ["25 December 2027", "25 December 2026"],
    ["25 November", "25.12.2026"],
    ["+48 30 123456", "+49 30 123456"],
    ["030 123457", "030 123456"],
    ["help@evil.test", "help@acme.test"],
    ["20 €", "20 %"],
    ["RX-501", "RX-500"],
    ["2.4.2", "2.4.1"],
    ["123456780", "123456789"],
    ["٤٠ يوما", "30 days"],
  ])("%j does not stand in %j", (claim, source) => {
    expect(stands(claim, source)).toBe(false);
  });
});

test("no text makes reading figures take long", () => {
  for (const part of ["1 ", "1.", "0 (", "12.", "a1-", "25 de ", "1,", "9 h ", "@a.", "- ", "Mai 1 "]) {
    expect(() => unsupportedFigures(part.repeat(8_000 / part.length), "")).not.toThrow();
  }
});
