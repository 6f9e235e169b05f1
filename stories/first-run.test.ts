/** The first screens: an empty installation, the set-up, joining by a link (docs/decisions/0048-first-screens.md). */
import { looksOf, violations } from "@frontdesk/testing/accessibility";
import { BEN, joins, openDashboard, signIn } from "@frontdesk/testing/agent-browser";
import { type InProcessInstallation, newInstallation } from "@frontdesk/testing/installation";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const GERMAN_PHONE_AT_NIGHT = { ...PHONE, locale: "de-DE", colorScheme: "dark" } as const;

/** An installation without a team, and the path of the setup link that its server has printed. */
async function emptyInstallation() {
  const frontdesk = await newInstallation("sqlite");
  const link = new URL(String((await frontdesk.start()).setup_url));
  return { frontdesk, path: link.pathname.replace("/app", "") + link.hash, token: link.hash.slice(1) };
}

/** The addresses and headers of all requests that reach the server. */
function requestsOf(frontdesk: InProcessInstallation): string[] {
  const requests: string[] = [];
  frontdesk.running().app.http.server.on("request", ({ url, headers }) => {
    requests.push(`${url} ${JSON.stringify(headers)}`);
  });
  return requests;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
/** The browser logs that nobody is signed in yet, and what the server refuses. */
const unexpected = (complaints: string[]) => complaints.filter((text) => !/40[14]|422/.test(text));

async function fillIn(page: Page, fields: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(fields)) await page.fill(`input[name=${name}]`, value);
  await page.keyboard.press("Enter");
}

const OWNER = { team_name: "Blumenladen", name: "Ada", email: "ada@acme.test", password: "correct horse" };

/** Invites Ben; resolves to the token of his link. */
async function invited(owner: Page): Promise<string> {
  const message = await owner.evaluate(
    `fetch("/app/api/v1/agents/invite", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ agents: [{ email: "ben@acme.test", name: "Ben" }] }),
    }).then((answer) => answer.json()).then(({ message }) => message)`,
  );
  return String(/\/app\/join\/(\S+)/.exec(String(message))?.[1]);
}

test("an owner sets up on a phone, in German and in the dark, and a colleague joins the same way", async () => {
  const { frontdesk, path, token } = await emptyInstallation();
  const requests = requestsOf(frontdesk);
  const owner = await openDashboard({ frontdesk }, "", GERMAN_PHONE_AT_NIGHT);
  const { page } = owner;

  // An empty installation says what to do. There is nothing to sign in to yet.
  await heading(page, "Noch nicht eingerichtet");
  expect(await page.locator("input").count()).toBe(0);
  await expect.poll(() => page.title()).toBe("Noch nicht eingerichtet – Frontdesk");

  // The link works in the page that is open already, by the keyboard alone.
  await page.goto(`${frontdesk.origin}/app${path}`);
  await heading(page, "Frontdesk einrichten");
  await expect
    .poll(() => page.evaluate("document.documentElement.lang + document.documentElement.dataset.theme"))
    .toBe("dedark");
  for (const [name, value] of Object.entries({ ...OWNER, password: "12345678" })) {
    await page.locator(`input[name=${name}]:focus`).waitFor();
    await page.keyboard.type(value);
    if (name !== "password") await page.keyboard.press("Tab");
  }
  await page.keyboard.press("Enter");
  // What is wrong is said at the field, which has the focus. The rest stays.
  await page.locator("input[name=password][aria-invalid=true]:focus").waitFor();
  await page.getByText("Dieses Passwort ist zu leicht zu erraten. Wähle ein anderes.").waitFor();
  await fillIn(page, { password: OWNER.password });
  await heading(page, "Willkommen bei Blumenladen");
  expect(new URL(page.url()).pathname).toBe("/app/start");
  await expect.poll(() => page.getByLabel("Widget-Name").inputValue()).toBe("Website");
  await page.getByRole("link", { name: "API-Schlüssel" }).click();
  await page.waitForURL(/\/settings\/api-keys$/);
  // The token was in bodies alone: in no address that servers and proxies log, and in no Referer.
  expect(requests.length).toBeGreaterThan(10);
  expect(requests.filter((request) => request.includes(token))).toEqual([]);

  // The link worked once; now it leads on.
  const late = await openDashboard({ frontdesk }, path, GERMAN_PHONE_AT_NIGHT);
  await heading(late.page, "Die Einrichtung ist abgeschlossen");
  await late.page.getByRole("link", { name: "Anmelden" }).click();
  await late.page.waitForURL(/\/app\/sign-in$/);
  await late.page.locator("input[name=password]").waitFor();

  // An older form of the link, as in a mail that was sent before an update.
  const ben = await openDashboard({ frontdesk }, `/../join/${await invited(page)}`, GERMAN_PHONE_AT_NIGHT);
  await heading(ben.page, "Blumenladen beitreten");
  const link = ben.page.url();
  expect(link).toMatch(/\/app\/join\/fd_invite_\w+$/);
  await fillIn(ben.page, { name: "Ben", password: "password" });
  await ben.page.locator("input[name=password][aria-invalid=true]:focus").waitFor();
  await ben.page.getByText("Dieses Passwort ist zu leicht zu erraten. Wähle ein anderes.").waitFor();
  await fillIn(ben.page, { password: BEN.password });
  await ben.page.waitForURL(/\/app\/inbox/);
  const again = await openDashboard({ frontdesk }, new URL(link).pathname.replace("/app", ""), GERMAN_PHONE_AT_NIGHT);
  await heading(again.page, "Diese Einladung gilt nicht mehr");
  await again.page.getByText("Dieser Link gilt nicht mehr.").waitFor();
  for (const { complaints, strangers } of [owner, late, ben, again]) {
    expect([unexpected(complaints), strangers]).toEqual([[], []]);
  }
});

test("the set-up speaks another language at a click, and an older form of its link leads to it", async () => {
  const { frontdesk, token } = await emptyInstallation();
  const { page } = await openDashboard({ frontdesk }, `/../setup?token=${token}`, { locale: "en-GB" });
  await heading(page, "Set up Frontdesk");
  expect(page.url()).toBe(`${frontdesk.origin}/app/setup#${token}`);
  await page.getByRole("button", { name: "Language: English" }).click();
  await expect.poll(() => page.getByRole("menuitemradio").count()).toBe(10);
  await page.getByRole("menuitemradio", { name: "العربية" }).click();
  await heading(page, "إعداد Frontdesk");
  await expect.poll(() => page.evaluate("document.documentElement.dir")).toBe("rtl");
  await fillIn(page, OWNER);
  await heading(page, "أهلًا بك في \u2068Blumenladen\u2069");
  await expect.poll(() => page.getByLabel("اسم أداة الدردشة").inputValue()).toBe("الموقع");
});

test("a link that stops working while the form is filled in says so", async () => {
  const { frontdesk, path } = await emptyInstallation();
  const { page } = await openDashboard({ frontdesk }, `${path}x`, { locale: "en" });
  await heading(page, "This setup link doesn’t work");
  await page.goto(`${frontdesk.origin}/app${path}`);
  await heading(page, "Set up Frontdesk");
  const ada = ["--name", "Ada", "--email", "ada@acme.test", "--password", "correct horse"];
  await frontdesk.command("setup", "--team", "Acme", ...ada);
  await fillIn(page, OWNER);
  await heading(page, "Setup is complete");
});

test.each(looksOf(PHONE.viewport))("no first screen keeps anyone out: $name", async ({ options, also }) => {
  const { frontdesk, path } = await emptyInstallation();
  const found: string[] = [];
  const check = async (page: Page, of: string) => found.push(...(await violations(page, of, also)));
  const { page } = await openDashboard({ frontdesk }, "", options);
  await page.waitForSelector("h1");
  await check(page, "an empty installation");
  await page.goto(`${frontdesk.origin}/app${path}`);
  await page.waitForSelector("input[name=team_name]");
  await check(page, "the set-up");
  await fillIn(page, { ...OWNER, email: "ada@acme", password: "12345678" });
  await page.locator("input[name=password][aria-invalid=true]").waitFor();
  await check(page, "the set-up with problems");
  await fillIn(page, OWNER);
  // The address changes before the page does.
  await page.waitForSelector("ol h2");
  await check(page, "the start page");

  const joining = `/join/${await invited(page)}`;
  const ben = await openDashboard({ frontdesk }, joining, options);
  await ben.page.waitForSelector("input[name=name]");
  await check(ben.page, "joining");
  await fillIn(ben.page, { password: "password" });
  await ben.page.locator("input[name=password][aria-invalid=true]").waitFor();
  await check(ben.page, "joining with a problem");
  for (const gone of [`${joining}x`, path, "/nothing-here"]) {
    await ben.page.goto(`${frontdesk.origin}/app${gone}`);
    await ben.page.waitForSelector("h1");
    await check(ben.page, gone);
  }
  expect(found).toEqual([]);
});

test("an unknown address, and one for admins alone, say so in the product", async () => {
  const shop = await openShop();
  await joins(shop, BEN);
  const stranger = await openDashboard(shop, "/anything/at/all", { locale: "en" });
  await heading(stranger.page, "Page not found");
  const ben = await signIn(shop, "/settings/webhooks", { locale: "en" }, BEN);
  await ben.page.getByText("Ask an admin").waitFor();
  await ben.page.goto(`${shop.frontdesk.origin}/app/settings/nothing`);
  await ben.page.getByText("Page not found").waitFor();
  expect([unexpected(stranger.complaints), ben.complaints]).toEqual([[], []]);
});
