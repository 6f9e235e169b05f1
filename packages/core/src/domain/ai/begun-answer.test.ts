import { inDepth } from "@frontdesk/testing/depth";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AiPassage } from "./ai-settings.ts";
import { begunAnswer } from "./begun-answer.ts";
import { checkAnswer, type Proof } from "./check-answer.ts";
import { readModelAnswer } from "./reads-answer.ts";

const CANARY = "k7q2xv9m4tb8w3zd";
const RUNS = inDepth(750, 1_500);
const passage = (text: string, address: string | null = null): AiPassage => ({
  ...{ title: "", text, updatedAt: null, address },
});
const proof: Proof = {
  passages: [
    passage(
      "Parcels arrive within 2 days, until 25. Januar. Shipping costs 4.90 €.",
      "https://help.acme.test/shipping",
    ),
    passage("You can return goods for 30 days.", "https://help.acme.test/returns"),
  ],
  ...{ teamText: "", visitorText: "", hours: "", sites: ["https://acme.test"], canary: CANARY, language: null },
};
const begun = (written: string, change: Partial<typeof proof> = {}) => begunAnswer(written, { ...proof, ...change });

describe("of an answer that is being written, whole sentences that pass are shown", () => {
  test("a sentence is shown once the next one has begun, without the marks of its citations", () => {
    const written = "ANSWER\nParcels arrive within 2 days. [1]";
    expect(begun(written)).toBeNull();
    expect(begun(`${written} You can`)).toBe("Parcels arrive within 2 days.");
    expect(begun(`${written} You can return goods for 30 days [2]. Ask us`)).toBe(
      "Parcels arrive within 2 days. You can return goods for 30 days.",
    );
    expect(begun("ANSWER\n届くまで2日です[1]。返品は30日以内です[2]。どうぞよろしく")).toBe(
      "届くまで2日です。返品は30日以内です。",
    );
  });

  test.each([
    ["without a citation", "Parcels arrive within 2 days. You can write"],
    ["with a citation that is not whole", "Parcels arrive [1] within 2 days. [Source 9"],
    ["that may go on with a month", "Parcels arrive [1] until 25. Ja"],
    ["with a false figure", "Parcels arrive within 3 days. [1] You can"],
    ["that promises", "We will call you back. [1] You can"],
    ["with a link to elsewhere", "See https://evil.test/x. [1] You can"],
    ["in which a tag has begun", "Parcels <script>arrive. [1] You can return. [2] It"],
    ["that gives the prompt away", `Parcels arrive. [1] ${CANARY} You can`],
    ["that stands in a block of code", "```answer\nHANDOFF Parcels arrive. [1] You can"],
  ])("not one %s", (_what, text) => {
    expect(begun(text.startsWith("`") ? text : `ANSWER\n${text}`)).toBeNull();
  });

  test("not one in another language than the visitor's", () => {
    expect(begun("ANSWER\nПосылки приходят быстро. [1] Вы можете", { language: "en" })).toBeNull();
  });

  test.each(["CHAT", "ASK", "HANDOFF", "DONE", "ANSWERS"])("and nothing of %s", (word) => {
    expect(begun(`${word}\nParcels arrive within 2 days. [1] You can`)).toBeNull();
  });
});

const PIECES = [
  ...[
    "Parcels arrive",
    "Parcels arrive [1]",
    " within 2 days",
    " until 25. Januar",
    " for 30 days",
    " costs 4.90 €",
    " in 3 days",
    " Yes.",
  ],
  ...[".", ". ", "! ", "? ", "。", ":\n", "\n", "\n\n", " ", "\n- ", "\n1. ", "\n# "],
  ...[
    "[1]",
    " [1]",
    "[2]",
    " [9]",
    "[1",
    "]",
    "【2】",
    "[Source 1]",
    " [Source 9]",
    "[1](https://evil.test)",
    "[1]: x",
    "![",
  ],
  ...[
    "[the guide",
    "](",
    "https://help.acme.test/returns",
    "https://acme.test/a",
    "https://evil.test",
    ")",
    " (e.g. so)",
  ],
  ...[
    "**",
    "__",
    "*",
    "`",
    "<b>",
    "</b>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "&lt;",
    "&",
    "\u200b",
    "www.acme.test",
  ],
  ...[" We will call you.", " Sure, ", "You can", "届くまで2日です", "z.B. ", " a", "J"],
];

test("what is shown is the beginning of what is said, however the model goes on", () => {
  let shown = 0;
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { minLength: 3, maxLength: 24, size: "max" }),
      fc.array(fc.nat(), { minLength: 3, maxLength: 6 }),
      (pieces, cuts) => {
        const written = `ANSWER\n${pieces.join("")}`;
        const answer = readModelAnswer(written);
        const checked = answer && checkAnswer({ ...proof, act: "answer", text: answer.text });
        if (!checked?.ok) return;
        for (const cut of cuts) {
          const early = begun(written.slice(0, cut % written.length));
          if (early === null) continue;
          shown += 1;
          expect(
            checked.text.startsWith(early),
            JSON.stringify([written, cut % written.length, early, checked.text]),
          ).toBe(true);
        }
      },
    ),
    { numRuns: RUNS },
  );
  expect(shown).toBeGreaterThan(inDepth(5, 20));
});
