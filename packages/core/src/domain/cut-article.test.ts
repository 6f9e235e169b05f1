import fc from "fast-check";
import { expect, test } from "vitest";
import { ANSWER_MAX, readArticle } from "./article.ts";
import { cutArticle, PARTS_MAX } from "./cut-article.ts";

test("a short text is one article, with its title as the question", () => {
  expect(cutArticle({ title: " Returns\n", markdown: "\nIn its own box.\n" }).texts).toEqual([
    { question: "Returns", answer: "In its own box." },
  ]);
  expect(cutArticle({ title: "", markdown: "# Hours\n\nFrom 9 to 5." }).texts[0]?.question).toBe("Hours");
  expect(cutArticle({ title: "Empty", markdown: " \n\u200b" }).texts).toEqual([]);
});

test("a long text is cut at headings, but not at those in code", () => {
  const section = (name: string) => `## ${name}\n\n${"Some words. ".repeat(500)}`;
  const code = "```\n## no heading\n```";
  const { texts: parts } = cutArticle({
    title: "Manual",
    markdown: [section("One"), `${section("Two")}\n${code}`].join("\n"),
  });
  expect(parts.map(({ question }) => question)).toEqual(["Manual", "Manual: Two"]);
  expect(parts[1]?.answer).toContain("## no heading");
});

test("whatever a text is, its parts can be stored, and none of a text that fits is lost", () => {
  const words = fc.array(fc.constantFrom("word ", "\n\n", "# H\n", "```\n", "\0", "\ud83d", "😀", "x".repeat(9_000)), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.string(), words, (title, pieces) => {
      const markdown = pieces.join("");
      const { texts: parts } = cutArticle({ title, markdown });
      for (const part of parts) expect(() => readArticle(part)).not.toThrow();
      expect(parts.length).toBeLessThanOrEqual(PARTS_MAX);
      expect(parts.every(({ answer }) => answer.length <= ANSWER_MAX)).toBe(true);
      if (parts.length > 0 && parts.length < PARTS_MAX) {
        const letters = (text: string) => text.match(/[wx]/g)?.length ?? 0;
        expect(letters(parts.map(({ answer }) => answer).join(""))).toBe(letters(markdown));
      }
    }),
  );
});
