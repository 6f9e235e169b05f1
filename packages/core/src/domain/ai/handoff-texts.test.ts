import { describe, expect, test } from "vitest";
import { widgetLanguages } from "../widget-settings.ts";
import {
  firstLineText,
  type HandoffOccasion,
  handoffSituations,
  handoffText,
  helpedText,
  unreadFilesText,
  withoutFirstLine,
} from "./handoff-texts.ts";
import { isInLanguage } from "./script-language.ts";

const now = Date.parse("2026-11-27T20:00:00Z");
const monday = { at: Date.parse("2026-11-30T08:00:00Z"), now, timezone: "Europe/Berlin" };
const text = (change: Partial<HandoffOccasion>) =>
  handoffText({ language: "en", situation: "closed", opening: monday, asksForEmail: false, ...change });

test("the next opening is told in the visitor's time zone and form", () => {
  expect(text({})).toContain("open again on Monday at 9:00 AM.");
  expect(text({ opening: { ...monday, timezone: "Asia/Tokyo", locale: "en-GB" } })).toContain("on Monday at 17:00.");
  expect(text({ opening: { ...monday, timezone: "America/New_York" } })).toContain("on Monday at 3:00 AM.");
  expect(text({ language: "de" })).toContain("am Montag ab 09:00 sind wir wieder da.");
  // A locale of another language gives no form.
  expect(text({ language: "de", opening: { ...monday, locale: "en-US" } })).toContain("am Montag ab 09:00");
});

test("today and tomorrow are those of the visitor, and a holiday's end far away has its date", () => {
  const opens = (at: string, timezone = "Europe/Berlin") => text({ opening: { at: Date.parse(at), now, timezone } });
  expect(opens("2026-11-28T08:00:00Z")).toContain("open again tomorrow at 9:00 AM.");
  expect(opens("2026-11-27T22:00:00Z")).toContain("open again today at 11:00 PM.");
  expect(opens("2026-11-27T22:00:00Z", "Asia/Tokyo")).toContain("open again today at 7:00 AM.");
  expect(opens("2027-01-04T08:00:00Z")).toContain("open again on Monday, January 4 at 9:00 AM.");
});

test("an email address is asked for when no one is there, and only when it is not known", () => {
  expect(text({ situation: "online", asksForEmail: true })).not.toContain("email");
  expect(text({ asksForEmail: true })).toContain("Leave your email address");
  expect(text({})).not.toContain("Leave your email address");
  expect(text({ situation: "nobody-online", asksForEmail: true })).toContain("Leave your email address");
});

describe.each(widgetLanguages)("in %s", (language) => {
  test("every situation has its words, with nothing left open", () => {
    for (const situation of handoffSituations) {
      for (const opening of [null, monday, { ...monday, at: now + 3_600_000 }]) {
        for (const asksForEmail of [false, true]) {
          const words = text({ language, situation, opening, asksForEmail });
          expect(words).not.toMatch(/[{}]|undefined/);
          expect(isInLanguage(words, language), words).toBe(true);
        }
      }
    }
    const all = new Set(handoffSituations.map((situation) => text({ language, situation, opening: null })));
    expect(all.size).toBe(3);
  });

  test("the first line says the name and that it is an AI", () => {
    expect(firstLineText(language, "Ann $& {name}")).toContain("Ann $& {name}");
    expect(withoutFirstLine(`${firstLineText(language, "Ann")}\n\nOne.\n\nTwo.`)).toBe("One.\n\nTwo.");
    expect(firstLineText(language, "Ann")).toMatch(/AI|KI|IA|ИИ|الاصطناعي|एआई/);
    expect(helpedText(language)).not.toBe("");
    expect(isInLanguage(unreadFilesText(language), language)).toBe(true);
  });
});

test("a text without the first line stays whole", () => {
  for (const whole of ["", "One.", "One.\n\nTwo.", "I’m Ann.\n\nTwo.", firstLineText("en", "Ann")]) {
    expect(withoutFirstLine(whole)).toBe(whole);
  }
});
