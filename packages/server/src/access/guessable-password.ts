import { readFileSync } from "node:fs";
import { foldText } from "@frontdesk/core/domain/folded-text";

/** What is known of the person who chooses the password: attackers try such words first. */
export interface PasswordOwner {
  name?: string | null | undefined;
  email?: string | undefined;
  teamName?: string | undefined;
}

/** The file names its source and licence; docs/decisions/0032-passwords.md has the reasons. */
const common = new Set(
  readFileSync(new URL("common-passwords.txt", import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#")),
);

/** The longest repeated pattern: `aaaaaaaa`, `abababab`, `abcdabcd`. */
const PATTERN_MAX = 4;

/** Whether it is one of the common passwords, blank, one short pattern repeated, or characters in their order. */
export function isGuessable(password: string): boolean {
  const text = foldText(password).trim();
  return text === "" || common.has(text) || isRepeated(text) || isSequence(text);
}

const OUR_NAME = "Frontdesk";

/**
 * Whether it is the owner's name, e-mail or team, our own name, or a characteristic part of these, with only digits and signs around it:
 * `ada.lovelace`, `Lovelace1990!`, `ada@acme.test`.
 */
export function isPersonal(password: string, { name, email, teamName }: PasswordOwner): boolean {
  const [local = "", domain = ""] = (email ?? "").split("@");
  const words = [OUR_NAME, name, email, local, domain, teamName].flatMap((text) => [
    text ?? "",
    ...(text ?? "").split(/[\s.@_-]+/),
  ]);
  const bare = lettersAndDigits(password);
  const letters = bare.replace(/^\p{Nd}+|\p{Nd}+$/gu, "");
  return words.map(lettersAndDigits).some((word) => word !== "" && (word === bare || word === letters));
}

const lettersAndDigits = (text: string): string => foldText(text).replace(/[^\p{L}\p{M}\p{Nd}]/gu, "");

function isRepeated(text: string): boolean {
  for (let length = 1; length <= PATTERN_MAX; length += 1) {
    const pattern = text.slice(0, length);
    if (text === pattern.repeat(Math.ceil(text.length / length)).slice(0, text.length)) return true;
  }
  return false;
}

/** `abcdefgh`, `98765432`. */
function isSequence(text: string): boolean {
  const codes = [...text].map((letter) => letter.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
