import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bannedInInterfaces, bannedWords } from "./banned-words.ts";
import { root } from "./source-files.ts";

const banned = [...bannedWords, ...bannedInInterfaces];
const files = globSync("packages/{dashboard,widget}/src/languages/**/en.json", { cwd: root });

/** The texts of a file by key, those in groups too. */
function textsIn(texts: object, before = ""): [string, string][] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "string" ? [[before + key, text] as [string, string]] : textsIn(text, `${before}${key}.`),
  );
}

const wrongIn = (text: string) => banned.filter(({ pattern }) => pattern.test(text));

test("the English of dashboard and widget has none of the banned words", () => {
  const texts = files.flatMap((file) =>
    textsIn(JSON.parse(readFileSync(join(root, file), "utf8"))).map(([key, text]) => ({ file, key, text })),
  );
  expect(files.length).toBeGreaterThan(7);
  expect(texts.length).toBeGreaterThan(900);
  const found = texts.flatMap(({ file, key, text }) =>
    wrongIn(text).map(({ instead }) => `${file} ${key}: “${text}” Instead: ${instead}`),
  );
  expect(found).toEqual([]);
});

test.each([
  "Invite somebody",
  "There is no secret: nobody is vouched for.",
  "Whoever has it can do what you have granted.",
  "Ask for an e-mail",
  "Loading …",
  "Empty: the host of the address.",
  "Remove the picture",
  "Look",
  "Human wanted",
  "It has to be introduced again.",
  "Replies in the name of",
  "It is taken off 3 conversations.",
  "Shop sync works no more.",
  "The link is not whole.",
  "Closed all the same",
  "What you type behind the slash.",
  "At most 40 characters, please.",
  "Please try again.",
  "Make a new token",
  "3 chosen",
  "A conversation begins.",
  "Programs may use the API",
  "This cannot be undone.",
  "You are signed out.",
  "As the visitor's system",
])("“%s” is found", (text) => {
  expect(wrongIn(text)).not.toEqual([]);
});

test.each([
  "Someone may have removed it.",
  "Read and write: {subjects}",
  "Markdown: **bold**, - lists, [links](https://…)",
  "Write a note…  @ to mention a teammate",
  "API key “…” created",
  "Make someone else an owner first.",
  "At least 8 characters. Tip: use a few random words.",
  "{name} is now an owner.",
])("“%s” is not", (text) => {
  expect(wrongIn(text)).toEqual([]);
});
