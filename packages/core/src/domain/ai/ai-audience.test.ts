import { expect, test } from "vitest";
import { type AiOccasion, answersHere } from "./ai-audience.ts";
import { type AiSettings, defaultAiSettings } from "./ai-settings.ts";

const occasion: AiOccasion = { widgetId: "shop", channel: "website", isOpen: true, isTeamOnline: true };
const answers = (settings: Partial<AiSettings>, change: Partial<AiOccasion> = {}) =>
  answersHere({ ...defaultAiSettings, is_active: true, ...settings }, { ...occasion, ...change });

test("the AI answers nothing until it is switched on", () => {
  expect(answers({ is_active: false })).toBe(false);
  expect(answersHere(defaultAiSettings, occasion)).toBe(false);
  expect(answers({})).toBe(true);
});

test("the AI answers on the chosen widgets and channels alone", () => {
  expect(answers({ widgets: ["shop"] })).toBe(true);
  expect(answers({ widgets: ["help"] })).toBe(false);
  expect(answers({ widgets: [] })).toBe(false);
  expect(answers({}, { channel: "email" })).toBe(false);
  expect(answers({ channels: [] })).toBe(false);
  // Its words are not sent by mail.
  expect(answers({ channels: ["website", "email"] }, { channel: "email" })).toBe(false);
});

test("the AI answers outside of the hours, or while no one of the team is online, when its owner wants that", () => {
  expect(answers({ when: "outside-hours" })).toBe(false);
  expect(answers({ when: "outside-hours" }, { isOpen: false })).toBe(true);
  // Without hours it is always open.
  expect(answers({ when: "outside-hours" }, { isOpen: null })).toBe(false);
  expect(answers({ when: "nobody-online" })).toBe(false);
  expect(answers({ when: "nobody-online" }, { isTeamOnline: false })).toBe(true);
});
