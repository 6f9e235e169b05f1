import { type InboxQuery, inboxOrders, inboxViews } from "@frontdesk/core/domain/inbox";
import { expect, test } from "vitest";
import {
  emptyBecause,
  filterCount,
  inboxSearch,
  queryOf,
  searchOf,
  searchOfView,
  unknownFilter,
  wholeView,
} from "./inbox-search.ts";

test("the state of the inbox is in its address, and is the same when it is opened from there", () => {
  const query: InboxQuery = {
    view: "mine",
    widget_id: "w",
    tag_ids: ["t", "u"],
    agent_ids: ["a"],
    channel: "email",
    channel_id: "c",
    active_from: new Date(2026, 9, 1).toISOString(),
    active_until: new Date(2026, 10, 1).toISOString(),
    unread: true,
    order: "oldest",
  };
  expect(queryOf(inboxSearch({ ...searchOf(query) }))).toEqual(query);
});

test("an address that says nothing shows what is open, and nonsense in it is passed over", () => {
  expect(queryOf(inboxSearch({}))).toEqual({ view: "open" });
  expect(
    inboxSearch({
      view: "everything",
      unread: "maybe",
      widget: 7,
      channel: "pigeon",
      from: "monday",
      order: "loudest",
    }),
  ).toEqual({});
});

test("those that wait are shown with the longest first, all others with the newest; any other order is in the address", () => {
  expect(queryOf(searchOfView("waiting"))).toEqual({ view: "waiting", order: "waiting" });
  expect(queryOf(searchOfView("mine"))).toEqual({ view: "mine" });
  expect(searchOf({ view: "waiting", order: "waiting" })).toEqual({ view: "waiting" });
  expect(searchOf({ view: "open", order: "newest" })).toEqual({});
  for (const view of inboxViews) {
    for (const order of inboxOrders) {
      expect(queryOf(inboxSearch({ ...searchOf({ view, order }) })).order ?? "newest").toBe(order);
    }
  }
});

test("an empty list says why: nothing has come in yet, the filters, or the view itself", () => {
  expect(emptyBecause({ view: "open" }, 0)).toBe("new");
  expect(emptyBecause({ view: "open", unread: true }, 0)).toBe("new");
  expect(emptyBecause({ view: "open", unread: true }, 51)).toBe("filters");
  expect(emptyBecause({ view: "waiting", order: "waiting" }, 51)).toBe("view");
  expect(emptyBecause({ view: "open" }, undefined)).toBe("view");
});

test("clearing the filters keeps the view and its order", () => {
  expect(wholeView({ view: "mine", tag_ids: ["t"], unread: true, order: "oldest" })).toEqual({
    view: "mine",
    order: "oldest",
  });
});

test("days in the address are whole days of the agent's time zone, the last one included", () => {
  const { active_from, active_until } = queryOf(inboxSearch({ from: "2026-10-25", to: "2026-10-25" }));
  expect(active_from).toBe(new Date(2026, 9, 25).toISOString());
  expect(active_until).toBe(new Date(2026, 9, 26).toISOString());
});

test("a filter that names what the team does not have is known as such", () => {
  const known = { tags: [{ id: "t" }], agents: [{ id: "a" }], widgets: [{ id: "w" }], channels: [{ id: "c" }] };
  expect(unknownFilter({ view: "open", tag_ids: ["t"], agent_ids: ["a"], widget_id: "w" }, known)).toBeUndefined();
  expect(unknownFilter({ view: "open", channel_id: "c" }, known)).toBeUndefined();
  expect(unknownFilter({ view: "open", channel_id: "x" }, known)).toBe("channel");
  expect(unknownFilter({ view: "open", tag_ids: ["t", "x"] }, known)).toBe("tag");
  expect(unknownFilter({ view: "open", agent_ids: ["x"] }, known)).toBe("agent");
  expect(unknownFilter({ view: "open", widget_id: "x" }, known)).toBe("widget");
});

test("a channel and an account of it are one filter", () => {
  expect(filterCount({ view: "open", channel: "email", channel_id: "c" })).toBe(1);
  expect(filterCount({ view: "open", channel: "email", unread: true })).toBe(2);
});
