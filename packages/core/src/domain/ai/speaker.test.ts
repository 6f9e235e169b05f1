import { expect, test } from "vitest";
import { sentViaWays } from "../conversation.ts";
import { speakers } from "./ai-settings.ts";
import { speakerAfter } from "./speaker.ts";

test("the AI speaks in an episode that it answers, and no longer once another voice is heard", () => {
  expect(speakerAfter("human", { name: "opened", isAiHere: true })).toBe("ai");
  expect(speakerAfter("human", { name: "opened", isAiHere: false })).toBe("human");
  const others = sentViaWays.filter((via) => via !== "widget" && via !== "ai");
  for (const via of others) expect(speakerAfter("ai", { name: "message-sent", via }), via).toBe("human");
  for (const via of ["widget", "ai"] as const) expect(speakerAfter("ai", { name: "message-sent", via })).toBe("ai");
  expect(speakerAfter("ai", { name: "assigned" })).toBe("human");
  expect(speakerAfter("ai", { name: "taken-over" })).toBe("human");
});

test("after a handoff the visitor waits for a person, not for a program", () => {
  expect(speakerAfter("ai", { name: "handed-over" })).toBe("waiting");
  expect(speakerAfter("human", { name: "handed-over" })).toBe("human");
  for (const via of ["dashboard", "api", "channel"] as const) {
    expect(speakerAfter("waiting", { name: "message-sent", via }), via).toBe("human");
  }
  for (const via of ["automation", "assistant", "widget"] as const) {
    expect(speakerAfter("waiting", { name: "message-sent", via }), via).toBe("waiting");
  }
});

test.each(speakers)("%s: resolving ends it, and returning gives it to the AI where there is one", (before) => {
  expect(speakerAfter(before, { name: "resolved" })).toBe("human");
  expect(speakerAfter(before, { name: "returned", isAiHere: true })).toBe("ai");
  expect(speakerAfter(before, { name: "returned", isAiHere: false })).toBe("human");
});
