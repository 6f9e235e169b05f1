import { describe, expect, test } from "vitest";
import { articleAsText } from "./article-as-text.ts";
import { articleParts } from "./article-parts.ts";

const inMessage = (answer: string) => articleAsText({ question: "How?", answer }).replace(/^How\?\n\n/, "");

describe("the parts of an answer", () => {
  test("headings, paragraphs, links, lists and code are kept, emphasis is plain text", () => {
    const answer = [
      "# Returns",
      "Send it **within 30 days**.\nSee [our terms](https://acme.test/terms) or *ask*.",
      "1. Pack it\n2. Send it\n   - by post\n   - by courier",
      "```\nnpm start\n```",
      "> Refunds take a week.",
    ].join("\n\n");
    expect(articleParts(answer)).toEqual([
      { type: "heading", text: [{ text: "Returns" }] },
      {
        type: "paragraph",
        text: [
          { text: "Send it within 30 days.\nSee " },
          { text: "our terms", href: "https://acme.test/terms" },
          { text: " or ask." },
        ],
      },
      {
        type: "list",
        items: [
          { depth: 0, number: 1, text: [{ text: "Pack it" }] },
          { depth: 0, number: 2, text: [{ text: "Send it" }] },
          { depth: 1, text: [{ text: "by post" }] },
          { depth: 1, text: [{ text: "by courier" }] },
        ],
      },
      { type: "code", text: [{ text: "npm start" }] },
      { type: "paragraph", text: [{ text: "Refunds take a week." }] },
    ]);
  });

  test("a link opens web pages and mail, and nothing else", () => {
    const linked = (answer: string) => articleParts(answer).flatMap((part) => ("text" in part ? part.text : []));
    expect(linked("[a](https://acme.test/?a=1&b=2)")).toEqual([{ text: "a", href: "https://acme.test/?a=1&b=2" }]);
    expect(linked("hello@acme.test")).toEqual([{ text: "hello@acme.test", href: "mailto:hello@acme.test" }]);
    expect(linked("![Our shop](https://acme.test/shop.png)")).toEqual([
      { text: "Our shop", href: "https://acme.test/shop.png" },
    ]);
    for (const href of [
      "javascript:alert(1)",
      "JaVaScRiPt:alert(1)",
      "data:text/html,x",
      "/app",
      "//evil.test",
      "ftp://a",
    ]) {
      expect(linked(`[a](${href})`), href).toEqual([{ text: "a" }]);
    }
  });

  test("HTML is dropped, entities are their characters", () => {
    expect(articleParts("<script>alert(1)</script>\n\n<b>5 &lt; 6</b> &amp; &#128512; &unknown;")).toEqual([
      { type: "paragraph", text: [{ text: "5 < 6 & 😀 &unknown;" }] },
    ]);
    expect(articleParts("<img src=x onerror=alert(1)>")).toEqual([]);
  });

  test("a row of a table is a line", () => {
    expect(inMessage("| Size | Price |\n|---|---|\n| S | 5 |")).toBe("Size | Price\n\nS | 5");
  });
});

describe("an article as a message", () => {
  test("its question comes first, and markup is gone", () => {
    const answer = "## Costs\n\n- Europe: **5 €**\n- [Elsewhere](https://acme.test/costs)\n\nhttps://acme.test";
    expect(articleAsText({ question: "What does shipping cost?", answer })).toBe(
      "What does shipping cost?\n\nCosts\n\n- Europe: 5 €\n- Elsewhere (https://acme.test/costs)\n\nhttps://acme.test",
    );
  });

  test("a long answer ends with a sentence, in every script", () => {
    for (const sentence of ["We ship to Portugal. ", "我们向葡萄牙发货。", "हम पुर्तगाल भेजते हैं। "]) {
      const text = inMessage(sentence.repeat(200));
      expect(text.length).toBeLessThanOrEqual(1_000);
      expect(text.length).toBeGreaterThan(900);
      expect(text.endsWith(sentence.trim())).toBe(true);
    }
  });

  test("an endless sentence ends with a word and an ellipsis", () => {
    const text = inMessage("shipping ".repeat(300));
    expect(text).toMatch(/ shipping…$/);
    expect(text.length).toBeLessThanOrEqual(1_000);
  });

  test("an answer of HTML alone leaves the question", () => {
    expect(articleAsText({ question: "How?", answer: "<video src=x></video>" })).toBe("How?");
  });
});
