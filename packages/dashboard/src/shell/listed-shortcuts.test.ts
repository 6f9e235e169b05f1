import { expect, test } from "vitest";
import { listedShortcuts } from "./listed-shortcuts.ts";

const GO = { id: "go-inbox", label: "Inbox", group: "Go to", keys: "G I" };
const keysOf = (groups: ReturnType<typeof listedShortcuts>) =>
  groups.flatMap(({ shortcuts }) => shortcuts.map(({ keys }) => keys));

test("the keys of a conversation are listed before one is open, with what they need", () => {
  const groups = listedShortcuts([GO], {});
  expect(keysOf(groups)).toEqual(expect.arrayContaining(["G I", "R", "N", "E", "A", "T", "Z", "U", "]"]));
  expect(groups.find(({ shortcuts }) => shortcuts.some(({ keys }) => keys === "R"))?.needs).toBeTruthy();
});

test("an open conversation does not list them twice, and says what E does to it", () => {
  const reopen = { id: "resolve", label: "Reopen", group: "Conversation", keys: "E" };
  const groups = listedShortcuts([GO, reopen], {});
  const ofE = groups.flatMap(({ shortcuts }) => shortcuts).filter(({ keys }) => keys === "E");
  expect(ofE).toEqual([{ id: "resolve", label: "Reopen", keys: "E" }]);
});

test("a key that the composer binds itself is listed once", () => {
  const article = { id: "insert-article", label: "Insert article", group: "Conversation", keys: "#", elsewhere: true };
  expect(keysOf(listedShortcuts([article], {})).filter((keys) => keys === "#")).toEqual(["#"]);
});

test("the sending keys are the ones that the agent has chosen", () => {
  const sendOf = (send_with?: "enter" | "mod-enter") =>
    listedShortcuts([], send_with ? { send_with } : {})
      .flatMap(({ shortcuts }) => shortcuts)
      .filter(({ id }) => id === "send" || id === "line")
      .map(({ keys }) => keys);
  expect(sendOf()).toEqual(["Enter", "Shift+Enter"]);
  expect(sendOf("mod-enter")).toEqual(["$mod+Enter", "Enter"]);
});
