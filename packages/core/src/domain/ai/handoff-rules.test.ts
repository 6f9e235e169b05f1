import { describe, expect, test } from "vitest";
import type { HandoffRules } from "./ai-settings.ts";
import { fittingRule, isPageRule, type RuledConversation } from "./handoff-rules.ts";

const none: HandoffRules = { words: [], pages: [], tags: [], custom_data: [] };
const plain: RuledConversation = { texts: ["Hello"], page: null, tags: [], customData: [] };
const fits = (rules: Partial<HandoffRules>, conversation: Partial<RuledConversation> = {}) =>
  fittingRule({ ...none, ...rules }, { ...plain, ...conversation });

test("without a rule nothing is handed over", () => {
  expect(fits({}, { texts: ["refund"], page: "https://acme.test/pricing" })).toBeUndefined();
});

describe("words are found whole, however they are written", () => {
  test.each([
    ["refund", "I want a REFUND!", true],
    ["refund", "Are refunds possible?", false],
    ["refund", "prerefunded", false],
    ["money back", "I want my money\n back.", true],
    ["money back", "back to the money", false],
    ["Kündigung", "wo geht die kundigung", true],
    ["Kündigung", "Meine KUENDIGUNG, bitte", true],
    ["avocat", "Je veux parler à l’avocat", true],
    ["don't pay", "I dont pay that", true],
    ["don't pay", "I don’t pay that", true],
    ["résilier", "je voudrais resilier", true],
    ["возврат", "Мне нужен ВОЗВРАТ", true],
    ["возврат", "Какие возвраты?", false],
    ["استرداد", "أريد اِسْتِرداد", true],
    ["रिफंड", "मुझे रिफंड चाहिए", true],
    ["退款", "我想要退款，谢谢", true],
    ["返金", "返金してください", true],
    ["かいやく", "カイヤクしたい", true],
    ["ยกเลิก", "อยากยกเลิกคำสั่งซื้อ", true],
    ["🤬", "well 🤬🤬", true],
    ["VIP 24", "I am vip 24 customer", true],
  ])("%j in %j: %s", (word, text, isThere) => {
    expect(fits({ words: ["nothing like it", word] }, { texts: ["Hi", text] })).toEqual(
      isThere ? { field: "words", value: word } : undefined,
    );
  });

  test("two messages are not one phrase with the words of a third between them", () => {
    expect(fits({ words: ["money back"] }, { texts: ["money", "and", "back"] })).toBeUndefined();
  });
});

describe("pages fit by how their addresses begin", () => {
  test.each([
    ["/pricing", "https://acme.test/pricing", true],
    ["/pricing", "http://other.test:8080/Pricing/teams?x=1#top", true],
    ["/pricing", "https://acme.test/en/pricing", false],
    ["https://acme.test/pricing", "http://ACME.test/pricing/", true],
    ["https://acme.test", "https://acme.test/anything", true],
    ["https://acme.test", "https://acme.test.evil.test/", false],
    ["acme.test/shop", "https://acme.test/shop?cart=1", true],
    ["acme.test/shop", "https://www.acme.test/shop", false],
    ["/preise/größe", "https://acme.test/preise/gr%C3%B6%C3%9Fe", true],
    ["/100%", "https://acme.test/100%", true],
    ["/pricing", "no address", false],
  ])("%j on %j: %s", (rule, page, isThere) => {
    expect(fits({ pages: [rule] }, { page })).toEqual(isThere ? { field: "pages", value: rule } : undefined);
  });

  test("a rule is a path or an address", () => {
    expect(["/", "/pricing", "acme.test", "localhost:3000/a", "https://acme.test/x"].filter(isPageRule)).toHaveLength(
      5,
    );
    expect(["pricing", "our prices", "https://", "pricing/x.html"].filter(isPageRule)).toEqual([]);
  });
});

test("tags fit by their ids, and a rule of a tag that is gone fits nothing", () => {
  const tags = [{ id: "b", name: "Legal" }];
  expect(fits({ tags: ["a", "b"] }, { tags })).toEqual({ field: "tags", value: "Legal" });
  expect(fits({ tags: ["a"] }, { tags })).toBeUndefined();
});

test("custom data fit by name and value together", () => {
  const custom_data = [{ name: "Plan", value: "Enterprise" }];
  const fitted = { field: "custom_data", value: "Plan: Enterprise" };
  expect(fits({ custom_data }, { customData: [{ name: "plan", value: " enterprise" }] })).toEqual(fitted);
  expect(fits({ custom_data }, { customData: [{ name: "Plan", value: "Enterprise plus" }] })).toBeUndefined();
  expect(fits({ custom_data }, { customData: [{ name: "Team", value: "Enterprise" }] })).toBeUndefined();
});
