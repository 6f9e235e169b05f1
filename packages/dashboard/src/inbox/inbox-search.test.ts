import { expect, test } from "vitest";
import { inboxSearch, queryOf, searchOf } from "./inbox-search.ts";

test("the state of the inbox is in its address, and is the same when it is opened from there", () => {
  const query = { view: "mine", widget_id: "w", tag_id: "t", agent_id: "a", channel: "email", unread: true } as const;
  expect(queryOf(inboxSearch({ ...searchOf(query) }))).toEqual(query);
});

test("an address that says nothing shows what is open, and nonsense in it is passed over", () => {
  expect(queryOf(inboxSearch({}))).toEqual({ view: "open" });
  expect(inboxSearch({ view: "everything", unread: "maybe", widget: 7, channel: "pigeon" })).toEqual({});
});
