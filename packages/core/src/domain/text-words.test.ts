/** docs/decisions/0017-knowledge-search.md: how texts are split into words. */
import { codePoint } from "@frontdesk/testing/code-point";
import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { askedWords, holdsPhrase, wordsOf } from "./text-words.ts";

const asked = (question: string) => askedWords(question).map(({ parts }) => parts.join("+"));

describe("words", () => {
  test.each([
    ["are parted by spaces and signs", "Orders, returns: (all) 24/7!", ["orders", "returns", "all", "24", "7"]],
    ["keep their order, and how often they stand there", "no, no, yes", ["no", "no", "yes"]],
    ["with an apostrophe are two", "l’abonnement don't", ["l", "abonnement", "don", "t"]],
    [
      "with one letter and a hyphen are one, others two",
      "E-Mail T‑Shirt ready-made",
      ["email", "tshirt", "ready", "made"],
    ],
    ["of Hindi keep their vowels", "वापसी की नीति", ["वापसी", "की", "नीति"]],
    ["of Chinese are overlapping pairs of characters", "退货政策", ["退货", "货政", "政策", "策"]],
    [
      "of Japanese too, in all its scripts",
      "返品とキャンセル",
      ["返品", "品と", "とキ", "キャ", "ャン", "ンセ", "セル", "ル"],
    ],
    ["of Korean too, so that particles do no harm", "배송은 언제", ["배송", "송은", "은", "언제", "제"]],
    ["of Thai are overlapping groups of three", "คืนเงิน", ["คืน", "ืนเ", "นเง", "เงิ", "งิน", "ิน", "น"]],
    ["are parted where the script changes", "iPhoneケース2個", ["iphone", "ケー", "ース", "ス", "2", "個"]],
    ["are none in signs and emoji", "👍 ?! … — €", []],
  ])("%s", (_what, text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test.each([
    ["letter case", "RETURNS Straße", "returns STRASSE"],
    ["accents", "contraseña devolução Größe", "contrasena devolucao grosse"],
    ["composed and decomposed letters", "caf\u00e9 \u304c\u3093", "cafe\u0301 \u304b\u3099\u3093"],
    ["full width", "Ｖｉｓａ１２", "Visa12"],
    ["the Vietnamese đ and its tones", "Đổi trả hàng", "doi tra hang"],
    ["the Russian ё", "ещё пришлём", "еще пришлем"],
    ["the final sigma", "ΟΔΟΣ", "οδος"],
    ["the Turkish dots", "İade IŞIK", "iade isik"],
    ["Arabic vowel signs, hamza and the stretching stroke", "إِرْجَاع الطَّلَب أســـود", "ارجاع الطلب اسود"],
    ["Arabic letters that Persian writes otherwise", "کیف مدى", "كيف مدي"],
    ["Hebrew points", "שָׁלוֹם", "שלום"],
    ["the dot and the moon of Devanagari", "क़ीमत करूँ", "कीमत करूं"],
    ["the digits of a script", "٣٠ ۳۰ ३० ๓๐", "30 30 30 30"],
    ["what cannot be seen", "re\u00adturn ga\u200dte \ufeffbag\u2060s", "return gate bags"],
  ])("%s do not matter", (_what, one, other) => {
    expect(wordsOf(one)).toEqual(wordsOf(other));
    expect(wordsOf(one).length).toBeGreaterThan(0);
  });

  test("letters that people do not take for one another stay apart", () => {
    for (const [one, other] of [
      ["मेल", "मैल"],
      ["が", "か゚"],
      ["退货", "退貨"],
      ["กา", "ก่า"],
    ] as const) {
      expect(wordsOf(one)).not.toEqual(wordsOf(other));
    }
  });

  test("longer than 40 characters are distinguished by their first 40", () => {
    expect(wordsOf("x".repeat(100))).toEqual(["x".repeat(40)]);
    expect(wordsOf("𐐷".repeat(100))).toEqual(["𐐏".toLowerCase().repeat(40)]);
  });
});

describe("the words of a question", () => {
  test("of a script without spaces are those that the dictionary knows; what is left between them is joined", () => {
    expect(asked("如何退货退款")).toEqual(["如何", "退货", "退款"]);
    expect(asked("注文をキャンセルしたい")).toEqual(["注文", "キャ+ャン+ンセ+セル", "した"]);
    expect(asked("ฉันจะคืนสินค้า")).toContain("สิน+ินค+นค้+ค้า");
  });

  test("are found again in a text that holds them, pieces and all", () => {
    for (const text of [
      "如何退货退款",
      "注文をキャンセルしたい",
      "ฉันจะคืนสินค้าได้อย่างไร",
      "배송은 얼마나 걸리나요",
      "How do I return?",
    ]) {
      expect(wordsOf(text)).toEqual(expect.arrayContaining(askedWords(text).flatMap(({ parts }) => parts)));
    }
  });

  test("are each asked once, 32 at most", () => {
    expect(asked("no NO nó no")).toEqual(["no"]);
    expect(asked(Array.from({ length: 60 }, (_, index) => `word${index}`).join(" "))).toHaveLength(32);
  });

  test("a single character of a script without spaces counts only where there is nothing else", () => {
    expect(askedWords("税")).toMatchObject([{ parts: ["税"], takes: "what begins so" }]);
    expect(asked("返品は")).toEqual(["返品"]);
    expect(asked("税 refund")).toEqual(["refund"]);
  });

  test("only the last one can be unfinished, and only while nothing stands after it", () => {
    const unfinished = (question: string) =>
      askedWords(question)
        .filter((word) => word.unfinished)
        .map(({ parts }) => parts[0]);
    expect(unfinished("return pol")).toEqual(["pol"]);
    for (const question of ["return pol ", "return pol?", "返品", ""]) expect(unfinished(question)).toEqual([]);
  });
});

describe("a phrase", () => {
  test.each([
    ["What is a gift card?", "gift CARD", true],
    ["What is a card gift?", "gift card", false],
    ["What is a gift, a card?", "gift card", false],
    ["gift-card", "gift card", true],
    ["A gift. Card?", "gift card", true],
    ["We party", "art", false],
    ["We like art", "art", true],
    ["如何退货退款", "退货", true],
    ["iPhoneケース", "ケース", true],
    ["anything", "", false],
    ["anything", "?!", false],
    ["", "anything", false],
  ])("%j holds %j: %s", (text, question, holds) => {
    expect(holdsPhrase(text, question)).toBe(holds);
  });
});

const anything = oneof(
  string({ unit: codePoint, maxLength: 60 }),
  array(
    constantFrom("\ud83d", "\udc00", "\0", "-", "a", "é", "中", "ก", "ま", "\u3099", "\u0301", "\ufdfa", "9", "٣"),
    {
      maxLength: 20,
    },
  ).map((parts) => parts.join("")),
);

test("any text has words, of letters and digits alone, that are the same when they are cut again", () => {
  assert(
    property(anything, (text) => {
      for (const word of wordsOf(text)) {
        expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,40}$/u);
        expect(word.isWellFormed()).toBe(true);
        expect(wordsOf(word)[0]).toBe(word);
      }
      for (const { parts, letters } of askedWords(text)) {
        expect(parts.length).toBeGreaterThan(0);
        expect(letters).toBeGreaterThan(0);
      }
    }),
    { numRuns: 500 },
  );
});

test("any text with a word in it holds itself as a phrase", () => {
  assert(property(anything, (text) => holdsPhrase(text, text) === wordsOf(text).length > 0));
});
