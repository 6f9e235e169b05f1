import { describe, expect, test } from "vitest";
import {
  erasesAnything,
  erasesMore,
  KEEP_EVERYTHING,
  loosestRetention,
  type RetentionSettings,
  resolveRetention,
} from "./retention.ts";

const shop = { accountId: "shop", widgetId: "shop" };
const shopMail = { accountId: "mail", widgetId: "shop" };
const blog = { accountId: "blog", widgetId: "blog" };
const places = [shop, shopMail, blog];
const resolved = (some: Partial<RetentionSettings>) => resolveRetention({ ...KEEP_EVERYTHING, ...some }, places);

describe("the rules of a channel", () => {
  const { accounts } = resolved({
    erase_after_days: 90,
    files_after_days: 30,
    widgets: [{ widget_id: "shop", erase_after_days: 365, files_after_days: null }],
    channels: [{ channel_id: "mail", erase_after_days: null, erase_what: "texts" }],
  });
  test("are its own, else those of its widget, else the team's", () => {
    expect(accounts.blog).toMatchObject({ erase_after_days: 90, files_after_days: 30, erase_what: "conversations" });
    expect(accounts.shop).toMatchObject({ erase_after_days: 365, files_after_days: null });
    expect(accounts.mail).toMatchObject({ erase_after_days: null, files_after_days: null, erase_what: "texts" });
  });
});

describe("settings erase more", () => {
  const year = resolved({ erase_after_days: 365 });
  test.each([
    ["with fewer days", year, resolved({ erase_after_days: 364 }), true],
    ["with more days", year, resolved({ erase_after_days: 366 }), false],
    ["when they never did", resolved({}), year, true],
    ["when they no longer do", year, resolved({}), false],
    ["of files", year, resolved({ erase_after_days: 365, files_after_days: 3_000 }), true],
    ["of addresses", year, resolved({ erase_after_days: 365, ip_after_days: 3_000 }), true],
    ["whole instead of texts", resolved({ erase_after_days: 365, erase_what: "texts" }), year, true],
    ["texts instead of whole", year, resolved({ erase_after_days: 365, erase_what: "texts" }), false],
    [
      "in one widget",
      year,
      resolved({ erase_after_days: 365, widgets: [{ widget_id: "blog", erase_after_days: 5 }] }),
      true,
    ],
    ["when nothing changes", year, year, false],
  ])("%s", (_how, before, after, more) => {
    expect(erasesMore(after, before)).toBe(more);
    // What both allow never erases more than either.
    expect(erasesMore(loosestRetention(before, after), before)).toBe(false);
    expect(erasesMore(loosestRetention(before, after), after)).toBe(false);
  });
});

test("nothing is erased unless it is chosen", () => {
  expect(erasesAnything(resolved({}))).toBe(false);
  expect(erasesAnything(resolved({ widgets: [{ widget_id: "blog", page_visits_after_days: 1 }] }))).toBe(true);
});
