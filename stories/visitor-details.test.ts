/**
 * What agents see of real visitors (docs/decisions/0050-what-live-chat-knows-of-visitors.md), and dates, times and weeks as a
 * British reader writes them.
 */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { deep } from "@frontdesk/testing/depth";
import { openChat, openShop, visit, write } from "@frontdesk/testing/visitor-browser";
import type { BrowserContextOptions, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const DAY_MS = 86_400_000;
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const LONDON: BrowserContextOptions = { locale: "en-GB", timezoneId: "Europe/London" };

const shop = await openShop("sqlite", {}, afterAll);
const demo = `${shop.frontdesk.origin}/demo/${shop.widgetId}`;

/** A browser by its user agent, and by the hints that it sends; browsers that are not built on Chromium send none. */
const browserOf = (userAgent: string, brand = "", platform = ""): BrowserContextOptions => ({
  userAgent,
  extraHTTPHeaders: {
    "sec-ch-ua": brand && `"Not)A;Brand";v="8", "Chromium";v="138", "${brand}";v="138"`,
    "sec-ch-ua-platform": platform && `"${platform}"`,
  },
});

const CHROME = browserOf(
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36`,
  "Google Chrome",
  "Windows",
);
const EDGE = browserOf(
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`,
  "Microsoft Edge",
  "Windows",
);
const SAMSUNG = browserOf(
  `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  "Samsung Internet",
  "Android",
);
const IPHONE = browserOf(
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
);
const FIREFOX = browserOf("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0");
const ROBOT = browserOf("Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)");
const GARBAGE = browserOf(`(((((${"<".repeat(300)}`);

/** A visitor writes; resolves to the ids of what came of it. */
async function visitorWrites(content: string, options: BrowserContextOptions) {
  const { page, complaints } = await visit(demo, options);
  const frame = await openChat(page);
  const stored = page.waitForResponse((answer) => answer.url().endsWith("/messages") && answer.status() === 201);
  await write(frame, content);
  const { message, contact } = await (await stored).json();
  expect(complaints).toEqual([]);
  return { frame, conversationId: String(message.conversation_id), contactId: String(contact.id) };
}

const contactOf = async (id: string) => (await shop.api.getContact({ params: { id } })).data.attributes;

/** The row of the details with this label. */
const detail = (page: Page, label: string) =>
  page.locator("aside").getByText(label, { exact: true }).locator("xpath=following-sibling::*");

const title = "a visitor with %s is known by it";
const isKnown = async (_name: string, options: BrowserContextOptions, expected: object) => {
  const { contactId } = await visitorWrites("Hello", { ...options, locale: "de-AT", timezoneId: "Europe/Vienna" });
  expect(await contactOf(contactId)).toMatchObject({
    ...expected,
    ...{ timezone: "Europe/Vienna", country: "Austria", country_code: "AT", location: null },
  });
};

// A browser that sends hints is in the test below, and `user-agent.test.ts` has every kind.
test.each([
  ["Safari on an iPhone", IPHONE, { browser_type: "Safari", operating_system: "iOS" }],
  ["garbage", GARBAGE, { browser_type: null, operating_system: null }],
])(title, isKnown);
test.runIf(deep).each([
  ["Chrome on Windows", CHROME, { browser_type: "Chrome", operating_system: "Windows" }],
  ["Edge", EDGE, { browser_type: "Edge", operating_system: "Windows" }],
  ["Samsung Internet", SAMSUNG, { browser_type: "Samsung Internet", operating_system: "Android" }],
  ["Firefox on Linux", FIREFOX, { browser_type: "Firefox", operating_system: "Linux" }],
  ["a program that reads pages", ROBOT, { browser_type: "Bot", operating_system: null }],
])(title, isKnown);

test("agents see where a visitor writes from, what time it is there, and that the country is a guess", async () => {
  const { conversationId, contactId } = await visitorWrites("Do you ship to Kent?", { ...LONDON, ...CHROME });
  const { page, complaints } = await signIn(shop, `/inbox/${conversationId}`, {
    locale: "de-DE",
    timezoneId: "Europe/Berlin",
  });
  const clockThere = () =>
    new Intl.DateTimeFormat("de-DE", {
      ...{ hour: "numeric", minute: "2-digit", timeZoneName: "shortOffset", timeZone: "Europe/London" },
    }).format();
  await expect
    .poll(() => detail(page, "Standort").innerText())
    .toBe("🇬🇧 Vereinigtes Königreich\nAus der Zeitzone geschätzt");
  // Around midnight the weekday stands before it.
  await expect.poll(async () => (await detail(page, "Ortszeit").innerText()).endsWith(clockThere())).toBe(true);
  expect(await detail(page, "Sprache").innerText()).toBe("Englisch");
  expect(await detail(page, "Browser").innerText()).toBe("Chrome · Windows");
  const found = await violations(page, "the details");

  // Without the details, the clock is in the header.
  await page.getByRole("button", { name: "Details" }).click();
  const header = page.locator("header").filter({ has: page.locator("h2") });
  await expect.poll(() => header.innerText()).toContain("🇬🇧");
  await expect.poll(async () => (await header.innerText()).includes(clockThere())).toBe(true);
  found.push(...(await violations(page, "the header with a clock")));

  await page.goto(`${shop.frontdesk.origin}/app/contacts`);
  await expect.poll(() => page.locator("table").innerText()).toContain("🇬🇧 Vereinigtes Königreich");
  await page.goto(`${shop.frontdesk.origin}/app/contacts/${contactId}`);
  await expect.poll(() => detail(page, "Browser").innerText()).toBe("Chrome · Windows");
  found.push(...(await violations(page, "the contact")));
  expect(found).toEqual([]);
  expect(complaints).toEqual([]);
});

test("of a contact of whom nothing is known, nothing is shown", async () => {
  const { data } = await shop.api.sendVisitorMessage({
    body: { widget_id: shop.widgetId, name: "Hugo", email: "hugo@acme.test", content: "Hello" },
  });
  const { page } = await signIn(shop, `/inbox/${data.attributes.conversation_id}`);
  await expect.poll(() => detail(page, "Email").innerText()).toBe("hugo@acme.test");
  for (const label of ["Location", "Local time", "Language", "Browser"]) {
    expect(await detail(page, label).count(), label).toBe(0);
  }
});

test("a place that a program has given is no guess", async () => {
  const { data } = await shop.api.initializeContact({
    body: { widgetId: shop.widgetId, name: "Kim", location: "Porto", timezone: "Europe/Lisbon" },
  });
  const { page } = await signIn(shop, `/contacts/${data.id}`);
  await expect.poll(() => detail(page, "Location").innerText()).toBe("🇵🇹 Porto");
});

test.runIf(deep)("British readers see dates, times and weeks in the British way, and Americans in theirs", async () => {
  const { conversationId } = await visitorWrites("What time is it?", LONDON);
  const written = async (locale: string) => {
    const { page } = await signIn(shop, `/inbox/${conversationId}`, { locale, timezoneId: "Europe/London" });
    await detail(page, "Started").waitFor();
    const begun = await detail(page, "Started").innerText();
    await page.goto(`${shop.frontdesk.origin}/app/settings/widgets`);
    await page.getByRole("switch", { name: "Use business hours" }).click();
    const days = page.locator("label").filter({ hasText: /day$/ });
    await expect.poll(() => days.count()).toBe(7);
    return { begun, firstDay: await days.first().innerText() };
  };
  const [conversation] = (await shop.api.listConversations()).data.filter(({ id }) => id === conversationId);
  const begunIn = (locale: string) =>
    new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "Europe/London" }).format(
      Date.parse(String(conversation?.attributes.created_at)),
    );
  // The test's premise: the two differ.
  expect(begunIn("en-GB")).not.toBe(begunIn("en-US"));
  expect(await written("en-GB")).toEqual({ begun: begunIn("en-GB"), firstDay: "Monday" });
  expect(await written("en-US")).toEqual({ begun: begunIn("en-US"), firstDay: "Sunday" });
});

test("the chat tells a British visitor in the British way when the team is back", async () => {
  const opening = new Date(Date.now() + 3 * DAY_MS);
  opening.setUTCHours(15, 30, 0, 0);
  const weekday = opening.toLocaleDateString("en", { weekday: "short", timeZone: "UTC" }).toLowerCase();
  const hours = ["--hours", `${weekday} 15:30-17:00`, "--timezone", "UTC"];
  await shop.frontdesk.command("widget", "update", shop.widgetId, ...hours);
  const presence = async (locale: string) => {
    const frame = await openChat((await visit(demo, { locale, timezoneId: "UTC" })).page);
    return frame.locator(".presence");
  };
  const day = opening.toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  const [british, american] = [await presence("en-GB"), await presence("en-US")];
  await expect.poll(() => british.textContent()).toBe(`Back on ${day} at 15:30`);
  await expect.poll(() => american.textContent()).toMatch(new RegExp(`^Back on ${day} at 3:30\\sPM$`));
});
