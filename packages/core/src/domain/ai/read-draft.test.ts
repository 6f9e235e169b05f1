import fc from "fast-check";
import { expect, test } from "vitest";
import { citationFilter, readDraft } from "./read-draft.ts";

test("a draft names the articles that it rests on, and the sentences that rest on none", () => {
  expect(readDraft("We ship to Portugal [2]. It takes three days [2][1]. Anything else?", 2)).toEqual({
    text: "We ship to Portugal. It takes three days. Anything else?",
    cited: [2, 1],
    unsourced: ["Anything else?"],
  });
});

test("a number that the model was not given is no source", () => {
  expect(readDraft("It is free [7].", 2)).toEqual({ text: "It is free.", cited: [], unsourced: ["It is free."] });
});

test("a gap in brackets stays, for the agent to fill", () => {
  expect(readDraft("It arrives on [delivery date].", 1).text).toBe("It arrives on [delivery date].");
});

test("a draft that comes in pieces reads as it does at once, wherever it is cut", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("We ship", " [1]", ".", " ", "\n", "[", "12", "]", "[delivery date]", " Yes"), {
        maxLength: 12,
      }),
      fc.array(fc.nat(3), { minLength: 1, maxLength: 8 }),
      (parts, cuts) => {
        const whole = parts.join("");
        const filter = citationFilter();
        let shown = "";
        let at = 0;
        for (let turn = 0; at < whole.length; turn += 1) {
          const length = 1 + (cuts[turn % cuts.length] ?? 0);
          shown += filter.push(whole.slice(at, at + length));
          at += length;
        }
        shown += filter.end();
        expect(shown.trim()).toBe(readDraft(whole, 1).text);
      },
    ),
  );
});
