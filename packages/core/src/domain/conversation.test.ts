import { expect, test } from "vitest";
import { channels, messageOrigin, statusWords, unreadAfter } from "./conversation.ts";

test("resolved asks for the state resolved; unresolved and open ask for open", () => {
  expect(statusWords).toEqual({ resolved: "resolved", unresolved: "open", open: "open" });
});

test("the origin of a message is chat on the website, else the name of its channel", () => {
  expect(channels.map(messageOrigin)).toEqual(["chat", "email", "messenger", "whatsapp", "fb", "instagram"]);
});

test("a visitor's message adds one to the unread ones", () => {
  expect(unreadAfter(0, { from: "visitor", type: "message" })).toBe(1);
  expect(unreadAfter(7, { from: "visitor", type: "message" })).toBe(8);
});

test("a reply sets the unread ones to 0; a note, a reminder and a system line leave them", () => {
  expect(unreadAfter(7, { from: "agent", type: "message" })).toBe(0);
  for (const type of ["note", "reminder", "system"] as const) expect(unreadAfter(7, { from: "agent", type })).toBe(7);
});
