import { describe, expect, test } from "vitest";
import { fillCannedReply } from "./fill-canned-reply.ts";
import { mentionedIn, mentionPieces } from "./mentioned-in.ts";
import { askedFor, type SuggestionSource, unknownSlashWord } from "./suggestions.tsx";

const source = (sign: string, more: Partial<SuggestionSource> = {}): SuggestionSource => ({
  sign,
  suggestions: [
    { id: "shipping", label: "shipping", insert: "We ship" },
    { id: "ciao", label: "Ciao Élise", insert: "Ciao" },
  ],
  ...more,
});
const found = (sources: SuggestionSource[], text: string) =>
  askedFor(sources, text, text.length)?.found.map(({ id }) => id);

describe("a sign in the composer", () => {
  test("offers what fits what is typed behind it, whatever its accents", () => {
    expect(found([source("/")], "/")).toEqual(["shipping", "ciao"]);
    expect(found([source("/")], "/elise")).toEqual(["ciao"]);
    expect(found([source("@")], "Ask @ship")).toEqual(["shipping"]);
  });

  test("is none in the middle of a word, and a slash only at the start of a text", () => {
    expect(found([source(":")], "at 10:30")).toBeUndefined();
    expect(found([source("@")], "vera@ship")).toBeUndefined();
    expect(found([source("/", { onlyAtStart: true })], "either /ship")).toBeUndefined();
  });

  test("offers at most eight, and none once a text goes on behind it", () => {
    const names = Array.from({ length: 20 }, (_, number) => `ship ${number}`);
    const many = source(":", { suggestions: names.map((name) => ({ id: name, label: name, insert: name })) });
    expect(found([many], ":ship")).toEqual(names.slice(0, 8));
    expect(found([source(":", { search: () => {} })], `:${"s".repeat(40)}`)).toHaveLength(2);
    expect(found([source(":", { search: () => {} })], `:${"s".repeat(41)}`)).toBeUndefined();
    for (const text of [": ship", ":ship\nship"]) expect(found([source(":")], text), text).toBeUndefined();
  });
});

test("a word after a slash at the start of a reply is unknown when no canned reply has its name", () => {
  const names = ["refund", "Thank you", "re"];
  const unknown = (text: string) => unknownSlashWord(text, names);
  expect(unknown("/zzzz")).toBe("zzzz");
  expect(unknown(" /refnd for Vera")).toBe("refnd");
  expect(unknown("/возврат")).toBe("возврат");
  for (const text of ["/refund", "/REFUND now", "/thank you", "/etc/hosts", "either /or", "/", "1/2", "/ shipping"]) {
    expect(unknown(text), text).toBeUndefined();
  }
});

describe("the sign of articles", () => {
  const articles = source("#", { opensFor: (typed) => /^\p{L}/u.test(typed), search: () => {} });

  test("opens the list after a letter, so that numbers and headings are typed as they are", () => {
    for (const text of ["#", "#1", "#123 ret", "# ret", "C#ret", "a#ret", "#\nret"]) {
      expect(found([articles], text), text).toBeUndefined();
    }
    for (const text of ["#r", "#возврат", "#退", "See #ret"]) expect(found([articles], text), text).toHaveLength(2);
  });

  test("opens it without a letter where its button was pressed", () => {
    expect(askedFor([articles], "See #", 5, 4)?.found).toHaveLength(2);
    expect(askedFor([articles], "See # #", 7, 4)).toBeUndefined();
  });

  test("leaves what the service has found in its order", () => {
    expect(found([articles], "#zzz")).toEqual(["shipping", "ciao"]);
  });

  test("counts when it is the last one, as every sign does", () => {
    const all = [source("/", { onlyAtStart: true }), source(":"), articles];
    const asked = (text: string) => askedFor(all, text, text.length)?.source.sign;
    expect(asked("/hello #ret")).toBe("#");
    expect(asked("Thanks :) see #ret")).toBe("#");
    expect(asked("See #ret :smi")).toBe(":");
    expect(asked("/hello #1")).toBe("/");
  });
});

describe("a canned reply", () => {
  const values = { contact: { name: "Vera Lind", email: null }, agent: "Ada", team: "Acme" };

  test("is filled with what is known, and with its fallback where nothing is", () => {
    const content =
      "Hi {{contact.first_name|there}}, {{ agent.name }} of {{team.name}}. {{contact.email|no mail}}{{contact.email}}";
    expect(fillCannedReply(content, values)).toBe("Hi Vera, Ada of Acme. no mail");
    expect(
      fillCannedReply("Hi {{contact.first_name|there}}", { ...values, contact: { name: null, email: null } }),
    ).toBe("Hi there");
  });

  test("keeps what is no place of ours", () => {
    expect(fillCannedReply("{{order.id}} {x}", values)).toBe("{{order.id}} {x}");
  });
});

test("a note mentions the agent it names, and no agent whose name is only the beginning of that name", () => {
  const people = [
    { id: "1", name: "Ben", email: "ben@acme.test" },
    { id: "2", name: "Benjamin", email: "benjamin@acme.test" },
    { id: "3", name: "Ben Okri", email: "okri@acme.test" },
    { id: "4", name: null, email: "cleo@acme.test" },
  ];
  expect(mentionedIn("@Ben, please look", people)).toEqual(["1"]);
  expect(mentionedIn("@Benjamin please look", people)).toEqual(["2"]);
  expect(mentionedIn("@Ben Okri and @cleo@acme.test", people)).toEqual(["3", "4"]);
  expect(mentionedIn("write to ben@acme.test about @Bento", people)).toEqual([]);
});

test("a note is cut at the mentions in it, and nothing of it is lost", () => {
  const people = [
    { id: "1", name: "Ben", email: "ben@acme.test" },
    { id: "2", name: "Ben Okri", email: "okri@acme.test" },
  ];
  const text = "Hi @Ben Okri, ask @Ben about @Bento (ben@acme.test)";
  const pieces = mentionPieces(text, people);
  expect(pieces.filter(({ isMention }) => isMention).map((piece) => piece.text)).toEqual(["@Ben Okri", "@Ben"]);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
});
