/** What is loaded after the first screen, while there is no connection or the file is gone (docs/decisions/0027-dashboard.md). */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { lineOf } from "@frontdesk/testing/page-line";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page, Route } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);
await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name: "Vera", content: "Where is my order?" } });

const field = (page: Page) => page.locator("section textarea");
const banner = (page: Page) => page.getByRole("status").filter({ hasText: "No connection" });
const open = (page: Page, name: RegExp) => page.getByRole("navigation").getByRole("link", { name }).click();
const openFirst = async (page: Page) => {
  await page.locator("[role=listitem] a").first().click();
  await field(page).waitFor();
};
/** Lost by a reload. */
const isSamePage = (page: Page) => page.evaluate("window.sameOne === true");
const files = (...names: string[]) => new RegExp(`/assets/(${names.join("|")})-[^/]*\\.js$`);
const NAMES = ["away-status", "details-pane", "filters", "layers", "toasts"];
const BACKGROUND = files(...NAMES);
const nameOf = (file: { url(): string }) => BACKGROUND.exec(file.url())?.[1];

test("parts that load in the background take nothing away when the connection is lost, and come once it is back", async () => {
  const { page } = await signIn(shop);
  const held: Route[] = [];
  await page.route(BACKGROUND, (route) => void held.push(route));
  const line = await lineOf(page);
  await openFirst(page);
  await page.evaluate("window.sameOne = true");
  await expect.poll(() => [...new Set(held.map((route) => nameOf(route.request())))].sort()).toEqual(NAMES);
  await line.cut();
  for (const route of held) await route.abort("internetdisconnected");
  await page.unroute(BACKGROUND);
  await banner(page).waitFor();
  await field(page).fill("It is on its way.");
  await page.keyboard.press("Enter");
  await page.getByText("Sends once the connection is back").waitFor();
  await field(page).fill("It left");

  const loaded = new Set<string | undefined>();
  page.on("response", (response) => BACKGROUND.test(response.url()) && response.ok() && loaded.add(nameOf(response)));
  await line.mend();
  await expect.poll(() => [...loaded].sort()).toEqual(NAMES);
  await banner(page).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Filter" }).first().waitFor();
  expect(await field(page).inputValue()).toBe("It left");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").waitFor();
  expect(await isSamePage(page)).toBe(true);
});

test("a screen or dialog that is opened without a connection opens once it is back", async () => {
  const { page } = await signIn(shop);
  // Asked for before they could load.
  const layers = files("layers");
  await page.route(layers, (route) => route.abort("internetdisconnected"));
  const line = await lineOf(page);
  await openFirst(page);
  await page.evaluate("window.sameOne = true");
  await line.cut();
  await page.unroute(layers);
  await banner(page).waitFor();
  await field(page).fill("It is");
  const requested: string[] = [];
  page.on("request", (request) => requested.push(request.url()));

  await open(page, /^Contacts/);
  await expect.poll(() => page.url()).toContain("/contacts");
  await field(page).pressSequentially(" on its way.");
  await expect.poll(() => field(page).inputValue()).toBe("It is on its way.");
  expect(await banner(page).count()).toBe(1);
  // Going elsewhere takes it back.
  await open(page, /^Settings/);
  await page.keyboard.press("Control+k");
  await expect.poll(() => field(page).inputValue()).toBe("It is on its way.");
  expect(await violations(page, "a screen that waits for the connection")).toEqual([]);
  // Some browsers would not load a file again that they could not load now.
  expect(requested.filter((url) => url.includes("/assets/"))).toEqual([]);

  await line.mend();
  await page.getByRole("combobox", { name: "Search or jump to…" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: "Settings" }).waitFor();
  await page.getByRole("heading", { name: "Profile" }).waitFor();
  expect(await isSamePage(page)).toBe(true);
  await open(page, /^All/);
  await openFirst(page);
  expect(await field(page).inputValue()).toBe("It is on its way.");
});

test("a service that is down for a moment is waited for, also when the browser is online", async () => {
  const { page } = await signIn(shop);
  await openFirst(page);
  await page.evaluate("window.sameOne = true");
  let asked = 0;
  const down = (route: Route) => {
    if (route.request().method() === "HEAD") asked += 1;
    return asked % 2 ? route.abort("connectionrefused") : route.fulfill({ status: 502 });
  };
  const everything = /\/app$|\/assets\//;
  await page.route(everything, down);
  await open(page, /^Contacts/);
  await expect.poll(() => asked).toBeGreaterThan(2);
  expect(await field(page).count()).toBe(1);
  await page.unroute(everything);
  await page.getByRole("heading", { name: "Contacts" }).waitFor();
  expect(await isSamePage(page)).toBe(true);
});

test("a screen or layer whose file is gone says so inside the frame, and the agent can go elsewhere", async () => {
  const { page } = await signIn(shop);
  const goneInBackground = files(...NAMES, "reason-texts");
  await page.route(goneInBackground, (route) => route.fulfill({ status: 404 }));
  await page.reload();
  await openFirst(page);
  // The contact's details are beside the conversation.
  await page.getByRole("complementary").getByText("Couldn’t load this").waitFor();
  await field(page).fill("It is");
  await page.unroute(goneInBackground);

  const gone = files("contacts-page", "layers");
  await page.route(gone, (route) => route.fulfill({ status: 404 }));
  await page.evaluate("window.sameOne = true");
  await open(page, /^Contacts/);
  // The page is loaded anew, since it may be of an older version.
  await expect.poll(() => isSamePage(page)).toBe(false);
  const failed = page.getByRole("alert").filter({ hasText: "Couldn’t load this" });
  await failed.getByText("That didn’t work. Try again.").waitFor();
  expect(await violations(page, "a screen that could not be loaded")).toEqual([]);

  await open(page, /^All/);
  await failed.waitFor({ state: "detached" });
  await openFirst(page);
  await page.keyboard.press("Control+k");
  await page.getByText("Couldn’t load this").waitFor();
  expect(await field(page).inputValue()).toBe("It is");

  // The page is not loaded anew before the connection is back.
  await open(page, /^Contacts/);
  await failed.waitFor();
  await page.unroute(gone);
  await page.context().setOffline(true);
  await failed.getByRole("button", { name: "Try again" }).click();
  await banner(page).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("heading", { name: "Contacts" }).waitFor();
});
