/** Whole bodies of REST answers as tests expect them: `toEqual` then also finds undocumented keys. */
import { expect } from "vitest";

/** `{message}` and nothing else, with one exact text. */
export const refused = (message: string) => ({ message });

/** A validation error on exactly these fields, each with one message or more, in whole sentences. */
export const invalid = (...fields: string[]) => ({
  message: "Some fields are invalid.",
  errors: Object.fromEntries(fields.map((field) => [field, expect.toSatisfy(areSentences)])),
});

function areSentences(messages: unknown): boolean {
  return Array.isArray(messages) && messages.length > 0 && messages.every((text) => /^\p{Lu}.*\w\.?$/su.test(text));
}

/** The ids of a list, in its order. */
export const idsOf = (list: { body: { data: { id: string }[] } }): string[] => list.body.data.map(({ id }) => id);

/** Ids of nothing: an unused one, and strings that are no ids at all. */
export const NO_IDS = ["01980c61-13aa-7e02-b3f5-27d9a6c41e03", "vera", "7", "' or 1=1 --"];
