import { expect, test } from "vitest";
import { tabTitle } from "./page-title.ts";

test("a tab is called by the unread conversations, what is open, and the product", () => {
  expect(tabTitle("Vera", 29)).toBe("(29) Vera – Frontdesk");
  expect(tabTitle("Open")).toBe("Open – Frontdesk");
  expect(tabTitle(undefined, 0)).toBe("Frontdesk");
});
