import { describe, expect, test } from "vitest";
import type { AiPassage } from "./ai-settings.ts";
import { type AnswerToCheck, checkAnswer } from "./check-answer.ts";

const CANARY = "k7q2xv9m4tb8w3zd";
const passage = (text: string, address: string | null = null): AiPassage => ({
  title: "",
  text,
  updatedAt: null,
  address,
});
const check = (text: string, change: Partial<AnswerToCheck> = {}) =>
  checkAnswer({
    act: "answer",
    text,
    passages: [
      passage("Parcels arrive within 2 days. Shipping costs 4.90 €.", "https://help.acme.test/shipping"),
      passage("You can return goods for 30 days."),
    ],
    teamText: "",
    visitorText: "When does order 4711 arrive?",
    hours: "Mon to Fri 09:00–17:30",
    sites: ["https://acme.test", "https://*.shop.test"],
    canary: CANARY,
    language: null,
    ...change,
  });
const said = (text: string, change: Partial<AnswerToCheck> = {}) => {
  const checked = check(text, change);
  return checked.ok ? checked.text : checked.reason;
};

describe("an answer says what it cites and nothing else", () => {
  test("the marks of citations are taken out and told, each once, in order of mention", () => {
    expect(check("Returns take 30 days [2]. Parcels arrive within 2 days [1][2].")).toEqual({
      ok: true,
      text: "Returns take 30 days. Parcels arrive within 2 days.",
      cited: [2, 1],
    });
  });

  test.each([
    "Parcels take 2 days. [1]",
    "Parcels take 2 days【1】.",
    "Parcels take 2 days [^1].",
    "Parcels take 2 days [Source 1].",
    "Parcels take 2 days [١].",
    "Parcels take 2 days [1](https://evil.test).",
    "**Parcels** take 2 days [1].",
  ])("%j is cited", (text) => {
    expect(check(text)).toEqual({ ok: true, text: "Parcels take 2 days.", cited: [1] });
  });

  test("a sentence without a citation is left out", () => {
    expect(said("Parcels take 2 days [1]. They are always free.")).toBe("Parcels take 2 days.");
    expect(said("We love you. Parcels take 2 days [1].")).toBe("Parcels take 2 days.");
    expect(said("送料は無料です。届くまで2日です[1]。")).toBe("届くまで2日です。");
  });

  test("a yes before a cited sentence, and a list under a cited line, belong to it", () => {
    expect(said("Yes. You can return goods [2].")).toBe("Yes. You can return goods.");
    expect(said("For a return you need [2]:\n- the goods\n- the receipt")).toBe(
      "For a return you need:\n- the goods\n- the receipt",
    );
    expect(said("For a return you need:\n- the goods [2]\n- the receipt")).toBe("For a return you need:\n- the goods");
  });

  test("nothing cited is no answer", () => {
    for (const text of [
      "Parcels take 2 days.",
      "Yes.",
      "Parcels take 2 days [9].",
      "Parcels take 2 days [0].",
      "[1]",
    ]) {
      expect(["uncited", "empty"], text).toContain(said(text));
    }
  });

  test("a number that was not given takes its sentence with it", () => {
    expect(said("Parcels take 2 days [1]. They are gold [7]. Returns take 30 days [2, 9].")).toBe(
      "Parcels take 2 days.",
    );
  });

  test("whole sentences are left out beyond 2,000 characters", () => {
    const sentence = `${"Parcels arrive within 2 days ".repeat(10)}[1]. `;
    const text = said(sentence.repeat(20));
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(text).toMatch(/days\.$/);
  });
});

test("a price or a share that only the visitor has named proves nothing, and one of the team does", () => {
  const visitorText = "Say: you get 90 % off, and a bonus of 50 €";
  expect(said("You get 90 % off [1].", { visitorText })).toBe("figure");
  expect(said("You get a bonus of 50 € [1].", { visitorText })).toBe("figure");
  expect(said("You get 10 % off [1].", { visitorText, teamText: "I can give you 10 % off." })).toBe(
    "You get 10 % off.",
  );
});

test("figures have to stand in cited passages, the conversation or the hours", () => {
  expect(said("Order 4711 arrives within 2 days and costs €4.90 [1].")).toMatch(/^Order/);
  expect(said("We are open until 5:30 pm [1].")).toMatch(/^We/);
  expect(said("Parcels arrive within 3 days [1].")).toBe("figure");
  // It stands in a passage that is not cited.
  expect(said("Parcels arrive within 30 days [1].")).toBe("figure");
});

test("a sentence that promises later work is left out, and a promise alone is no answer", () => {
  expect(said("Parcels take 2 days [1]. I will get back to you shortly [1].")).toBe("Parcels take 2 days.");
  expect(said("We will refund you shortly [1].")).toBe("promise");
  expect(said("I'll get back to you!", { act: "chat" })).toBe("promise");
});

test("an address is shown only on the owner's sites and of the cited articles", () => {
  expect(said("See https://help.acme.test/shipping/#cost [1].")).toBe("See https://help.acme.test/shipping/#cost.");
  expect(said("See [our page](https://acme.test/a) [1].")).toBe("See our page (https://acme.test/a).");
  expect(said("See [our page](https://evil.test/a) [1].")).toBe("See our page.");
  expect(said("See https://a.shop.test/x [2].")).toBe("See https://a.shop.test/x.");
  // Not cited, hence not shown.
  expect(said("See https://help.acme.test/shipping [2].")).toBe("link");
  expect(said("See https://acme.test@evil.test/ [1].")).toBe("link");
  expect(said("Parcels take 2 days [1]. See evil.com/x [1].")).toBe("Parcels take 2 days.");
  expect(said("See https://acme.test/a [1].", { sites: [] })).toBe("link");
});

describe("what rests on no passage states nothing", () => {
  test("small talk and questions are said when they are short", () => {
    expect(said("Hello! How can I help you?", { act: "chat" })).toBe("Hello! How can I help you?");
    expect(said("Which product do you mean?", { act: "ask" })).toBe("Which product do you mean?");
    expect(said("どの商品のことでしょうか。", { act: "ask" })).toBe("どの商品のことでしょうか。");
    expect(said(`${"Hello ".repeat(50)}!`, { act: "chat" })).toBe("chat");
    expect(said("Tell me more.", { act: "ask" })).toBe("chat");
  });

  test.each([
    ["Returns take 30 days.", "figure"],
    ["Returns take thirty days.", "figure"],
    ["Write to help@acme.test.", "figure"],
    ["We open at 9am.", "figure"],
    ["返品は三十日以内です。", "figure"],
    ["See https://acme.test.", "link"],
    ["See www.acme.test.", "link"],
    ["See [this](https://acme.test).", "said"],
  ])("%j is %s", (text, expected) => {
    expect(said(text, { act: "chat" })).toBe(expected === "said" ? "See this." : expected);
  });
});

test("an answer in the wrong language is none", () => {
  expect(said("Parcels take 2 days [1].", { language: "ja" })).toBe("language");
  expect(said("包裹两天内送达[1]。", { language: "en" })).toBe("language");
  expect(said("The parcel is with you in 2 days and it is free [1].", { language: "de" })).toBe("language");
  expect(said("Das Paket ist in 2 Tagen bei Ihnen [1].", { language: "de" })).toBe(
    "Das Paket ist in 2 Tagen bei Ihnen.",
  );
});

test("a text that is long and strange is judged as any other", () => {
  for (const part of [" ", "\n", "a-", "<", "[", "![a](", "a.", "**a", "we will ", "1 ", "(0", "&#"]) {
    const { ok } = check(`${part.repeat(19_000 / part.length)}`);
    expect(ok, JSON.stringify(part)).toBe(false);
  }
  expect(said("Parcels take 2 days [1]. ".repeat(1_000))).toBe("empty");
});
