import { describe, expect, test } from "vitest";
import {
  attemptReason,
  type ChannelReason,
  type ChannelReasonName,
  channelReason,
  channelReasonText,
  channelSentence,
  knownChannelReason,
} from "./channel-reason.ts";
import { placesIn } from "./text-places.ts";

const names = Object.keys(channelReasonText) as ChannelReasonName[];
/** With a value for each place. */
const filled = (name: ChannelReasonName, value = "x"): ChannelReason => {
  const places = placesIn(channelReasonText[name]);
  return { name, ...(places.length > 0 && { values: Object.fromEntries(places.map((place) => [place, value])) }) };
};

describe.each(names)("%s", (name) => {
  test("is one or more sentences, and its values are in them as they are", () => {
    const hostile = '{host} $& $1 {words} <b>"';
    const sentence = channelSentence(filled(name, hostile));
    for (const [place, value] of Object.entries(filled(name, hostile).values ?? {})) {
      expect(sentence, place).toContain(value);
    }
    if (name !== "smtp.says") expect(channelSentence(filled(name)), name).toMatch(/^[A-Z"x].*(?:[.]|says: x)$/);
  });

  test("is known again when it comes back, and not without its values", () => {
    const reason = filled(name);
    expect(knownChannelReason(JSON.parse(JSON.stringify(reason)))).toEqual(reason);
    if (reason.values) expect(knownChannelReason({ name })).toBeUndefined();
  });
});

test("a server's words are the whole sentence", () => {
  const words = "535 5.7.8 authentication failed {words}";
  expect(channelSentence(channelReason("smtp.says", { words }))).toBe(words);
});

test("no two reasons of one part say the same", () => {
  const said = names.filter((name) => !name.startsWith("attempt.")).map((name) => channelReasonText[name]);
  expect(new Set(said).size).toBe(said.length);
});

test.each([
  [null],
  ["imap.away"],
  [{}],
  [{ name: "constructor" }],
  [{ name: "imap.unheard-of" }],
  [{ name: "check.reached", values: { host: { toString: "x" } } }],
  [{ name: "check.reached", values: null }],
  [{ name: "check.reached", values: "host" }],
])("%j is no reason", (given) => {
  expect(knownChannelReason(given)).toBeUndefined();
});

test("values that a sentence has no place for are left out", () => {
  const given = { name: "check.reached", values: { host: "a.example", more: "b" } };
  expect(knownChannelReason(given)).toEqual({ name: "check.reached", values: { host: "a.example" } });
});

test("the word of an attempt is a reason, and any other is none", () => {
  expect(attemptReason("quota")?.name).toBe("attempt.quota");
  for (const word of ["", "constructor", "4xx", "toString"]) expect(attemptReason(word)).toBeUndefined();
});
