/** An app asks to be connected, and a person answers, in a real browser: to https, to this computer, and to another program. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TOTP_STEP_MS, totpCode } from "@frontdesk/server/access/totp";
import { inDarkScheme, violations } from "@frontdesk/testing/accessibility";
import { ageSessions } from "@frontdesk/testing/age-sessions";
import { ADA, BEN, dialogOf, joins, openDashboard, type Person, signIn } from "@frontdesk/testing/agent-browser";
import { pkce } from "@frontdesk/testing/oauth-app";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);
const { origin } = shop.frontdesk;
await joins(shop, BEN);
/** An admin, who gets a second factor. */
const CLEO: Person = { name: "Cleo", email: "cleo@acme.test", password: "paper lantern" };
await joins(shop, CLEO, "CHAT_AGENT_ADMIN");

const CURSOR = "cursor://anysphere.cursor-mcp/oauth/callback";
const WEBSITE = "https://app.test/callback";

/** A program on this computer that waits for its code. */
const arrived: URL[] = [];
const program = createServer((request, response) => {
  arrived.push(new URL(request.url ?? "", "http://localhost"));
  response.setHeader("content-type", "text/html").end("<title>Robin</title>Done");
});
await once(program.listen(0, "127.0.0.1"), "listening");
afterAll(() => program.close());
const LOCAL = `http://127.0.0.1:${(program.address() as AddressInfo).port}/callback`;

async function register(redirect: string, name = "Robin"): Promise<string> {
  const answer = await fetch(`${origin}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirect] }),
  });
  return ((await answer.json()) as { client_id: string }).client_id;
}

/** What an app opens the browser with. */
async function question(redirect: string, change: { resource?: string; name?: string; method?: string } = {}) {
  const { challenge, verifier } = pkce();
  const clientId = await register(redirect, change.name);
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: redirect, state: "1e5" },
    ...{ code_challenge: challenge, code_challenge_method: change.method ?? "S256" },
    resource: `${origin}${change.resource ?? "/mcp"}`,
  });
  return { url: `${origin}/oauth/authorize?${query}`, clientId, verifier };
}

async function tokensFor(
  code: string,
  { clientId, verifier }: { clientId: string; verifier: string },
  redirect: string,
) {
  const answer = await fetch(`${origin}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", client_id: clientId, redirect_uri: redirect },
      ...{ code, code_verifier: verifier },
    }),
  });
  return answer.json() as Promise<{ access_token: string }>;
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const says = (page: Page, text: string | RegExp) => expect.poll(() => page.locator("main").innerText()).toMatch(text);
const ticked = (page: Page) =>
  page
    .getByRole("checkbox", { checked: true })
    .evaluateAll((boxes) => boxes.map((box) => box.getAttribute("aria-label")));

test("a program on this computer is connected, by a person who signs in first, and found in the settings", async () => {
  const { page, complaints } = await openDashboard(shop, "/sign-in");
  const asked = await question(LOCAL);
  await page.goto(asked.url);
  // The whole question survives the way over the page to sign in.
  await page.getByLabel("Email").fill(ADA.email);
  await page.getByLabel("Password").fill(ADA.password);
  await page.keyboard.press("Enter");
  await says(page, "Robin wants to work in");
  await says(page, /calls itself Robin\. We can’t verify that/);
  await says(page, /app on this computer \(127\.0\.0\.1:\d+\)/);
  await says(page, /You’re Ada/);
  expect(await violations(page, "the consent", inDarkScheme)).toEqual([]);

  // Reading is ticked, and nothing that writes.
  await expect.poll(() => page.getByRole("checkbox", { checked: true }).count()).toBe(7);
  expect(await page.getByRole("checkbox", { name: "Reply to visitors" }).isChecked()).toBe(false);
  // Enter, wherever the focus is at first, and in every field, allows nothing.
  await page.keyboard.press("Enter");
  await page.getByLabel("Replies as").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("checkbox", { name: "Reply to visitors" }).focus();
  await page.keyboard.press("Enter");
  expect(arrived).toEqual([]);
  await page.keyboard.press("Escape");

  await page.getByRole("checkbox", { name: "Write notes that only your team sees" }).check();
  await button(page, "Allow").click();
  await expect.poll(() => page.title()).toBe("Robin");
  const back = arrived.at(-1)?.searchParams;
  expect([back?.get("state"), back?.get("iss")]).toEqual(["1e5", origin]);
  const { access_token } = await tokensFor(back?.get("code") ?? "", asked, LOCAL);
  const list = await fetch(`${origin}/mcp`, {
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${access_token}`, "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  expect(await list.text()).toContain('"add-note"');
  expect(complaints.filter((text) => !/401/.test(text))).toEqual([]);

  await page.goto(`${origin}/app/settings/assistants`);
  await page.getByRole("link", { name: /Robin/ }).click();
  await says(page, /App\s+Robin \(not verified\)/);
  await says(page, /Allowed\s+.*Ada/);
  expect(await page.getByRole("heading", { name: "Set up" }).count()).toBe(0);
  expect(await violations(page, "the connection of an app", inDarkScheme)).toEqual([]);

  // Asked again, it shows what it has; and a refusal goes back as one.
  const again = await question(LOCAL);
  await page.goto(again.url);
  await says(page, /connected this app before/);
  expect(await page.getByRole("checkbox", { name: "Write notes that only your team sees" }).isChecked()).toBe(true);
  await button(page, "Cancel").click();
  await expect.poll(() => arrived.at(-1)?.searchParams.get("error")).toBe("access_denied");
});

test("a website and another program get the browser, under the page's own policy", async () => {
  for (const redirect of [WEBSITE, CURSOR]) {
    const { page, complaints } = await signIn(shop, "/inbox");
    await page.route("https://app.test/**", (route) => route.fulfill({ contentType: "text/html", body: "Back" }));
    const left: string[] = [];
    // Chromium asks for no program here; the navigation itself is seen by its protocol.
    const session = await page.context().newCDPSession(page);
    await session.send("Page.enable");
    session.on("Page.frameRequestedNavigation", ({ url }) => left.push(url));
    session.on("Page.frameScheduledNavigation", ({ url }) => left.push(url));
    const asked = await question(redirect, { name: `App of ${new URL(redirect).protocol}` });
    await page.goto(asked.url);
    await says(page, redirect === CURSOR ? /sent back to Cursor on this computer/ : /sent back to app\.test/);
    await button(page, "Allow").click();
    if (redirect === WEBSITE) await page.waitForURL(/^https:\/\/app\.test\/callback\?code=fd_code_/);
    else {
      await expect.poll(() => left.some((url) => url.startsWith(`${CURSOR}?code=fd_code_`))).toBe(true);
      // The browser may ask first, or not know the program: the link stays.
      const link = page.getByRole("link", { name: "Continue" });
      expect(await link.getAttribute("href")).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=/);
    }
    expect(complaints.filter((text) => /security policy/i.test(text))).toEqual([]);
  }
});

test("the read-only address offers reading alone", async () => {
  const { page } = await signIn(shop, "/inbox");
  await page.goto((await question(LOCAL, { resource: "/mcp/readonly", name: "Reader" })).url);
  await says(page, /asks for the read-only address/);
  await expect.poll(async () => (await ticked(page)).length).toBe(7);
  expect(await page.getByRole("checkbox", { name: "Reply to visitors" }).count()).toBe(0);
});

test("a member sees whom to ask, and can go back", async () => {
  const { page } = await signIn(shop, "/inbox", {}, BEN);
  await page.goto((await question(LOCAL, { name: "Hopeful" })).url);
  await says(page, "Only admins can connect an app. Ask Ada or Cleo.");
  expect(await button(page, "Allow").count()).toBe(0);
  expect(await violations(page, "a member is asked")).toEqual([]);
  await button(page, "Back to Hopeful").click();
  await expect.poll(() => arrived.at(-1)?.searchParams.get("error")).toBe("access_denied");
});

test("what cannot be answered is said, to anyone; an app that asks in a wrong way is told so", async () => {
  const { page } = await openDashboard(shop, "/sign-in");
  await page.goto(`${origin}/oauth/authorize?client_id=nobody&redirect_uri=https://evil.test/`);
  await says(page, /This app can’t be connected\s+Frontdesk doesn’t know this app/);
  expect(new URL(page.url()).origin).toBe(origin);
  const before = arrived.length;
  await page.goto((await question(LOCAL, { method: "plain" })).url);
  await expect.poll(() => arrived.length).toBe(before + 1);
  expect(arrived.at(-1)?.searchParams.get("error")).toBe("invalid_request");
});

test("a client in a page of this machine may read all that it needs: the challenge, the documents, and its tokens' errors", async () => {
  const { page } = await openDashboard(shop, "/sign-in");
  await page.goto(LOCAL);
  const seen = await page.evaluate(`(async () => {
    const at = ${JSON.stringify(origin)};
    const json = { "content-type": "application/json", "mcp-protocol-version": "2025-11-25", authorization: "Bearer x" };
    const refused = await fetch(at + "/mcp", { method: "POST", headers: json, body: "{}" });
    const document = await (await fetch(at + "/.well-known/oauth-authorization-server")).json();
    const body = JSON.stringify({ client_name: "Page", redirect_uris: [location.href] });
    const headers = { "content-type": "application/json" };
    const made = await (await fetch(document.registration_endpoint, { method: "POST", headers, body })).json();
    const form = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id: made.client_id });
    const token = await fetch(document.token_endpoint, { method: "POST", body: form });
    return [refused.status, refused.headers.get("www-authenticate"), document.issuer, (await token.json()).error];
  })()`);
  expect(seen).toEqual([401, expect.stringContaining(`resource_metadata="${origin}/`), origin, "invalid_grant"]);
});

test("the page cannot be shown in a frame of another site", async () => {
  const asked = await fetch((await question(LOCAL)).url);
  expect(asked.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(asked.headers.get("x-frame-options")).toBe("DENY");
});

test("the settings show the address to paste, and where to paste it", async () => {
  const { page } = await signIn(shop, "/settings/assistants");
  const section = page.locator("main section", { has: page.locator('h2:text-is("Connect an app")') });
  await expect.poll(() => section.locator("pre").first().innerText()).toBe(`${origin}/mcp`);
  expect(await section.locator("pre").nth(1).innerText()).toBe(`${origin}/mcp/readonly`);
  await expect.poll(() => section.getByRole("note").innerText()).toMatch(/isn’t on the internet/);
  await section.getByRole("tab", { name: "Claude Code" }).click();
  await expect
    .poll(() => section.locator("pre").last().innerText())
    .toBe(`claude mcp add --transport http frontdesk "${origin}/mcp"`);
  expect(await violations(page, "connect an app", inDarkScheme)).toEqual([]);
});

test("an admin who has to add a second factor, gives a code, and proves who they are comes back to the same question", async () => {
  const ada = await signIn(shop, "/settings/security");
  await ada.page.getByLabel("Two-factor sign-in is required for").selectOption("admins");
  await ada.page.getByText("Saved").waitFor();

  const { page } = await openDashboard(shop, "/sign-in");
  const signsIn = async () => {
    await page.getByLabel("Email").fill(CLEO.email);
    await page.getByLabel("Password").fill(CLEO.password);
    await page.keyboard.press("Enter");
  };
  const codeNow = (secret: string, steps = 0) => totpCode(secret, Math.floor(Date.now() / TOTP_STEP_MS) + steps);
  await page.goto((await question(LOCAL, { name: "First" })).url);
  await signsIn();
  await page.waitForURL(/\/enrol\?next=/);
  const secret = await page.locator("[title]").first().innerText();
  await page.getByLabel("Code", { exact: true }).fill(codeNow(secret));
  await page.keyboard.press("Enter");
  await dialogOf(page).getByRole("checkbox").check();
  await dialogOf(page).getByRole("button", { name: "Done" }).click();
  await says(page, "First wants to work in");
  expect(new URL(page.url()).pathname).toBe("/app/connect");

  // The next browser asks for a code, with the next question.
  await page.context().clearCookies();
  await page.goto((await question(LOCAL, { name: "Second" })).url);
  await signsIn();
  await page.getByRole("heading", { name: "Enter your code" }).waitFor();
  await page.getByLabel("Code", { exact: true }).fill(codeNow(secret, 1));
  await page.keyboard.press("Enter");
  await says(page, "Second wants to work in");

  // Left open for long: the answer waits for a proof, and what was chosen stays.
  await page.getByRole("checkbox", { name: "Reply to visitors" }).check();
  await ageSessions(shop.frontdesk.running().storage);
  const before = arrived.length;
  const proof = page.getByRole("dialog", { name: "Confirm it’s you" });
  await button(page, "Allow").click();
  await proof.waitFor();
  expect(await violations(page, "the proof over the consent", inDarkScheme)).toEqual([]);
  await proof.getByRole("button", { name: "Cancel" }).click();
  await says(page, "Confirm that it’s you first. Then try again.");
  await button(page, "Allow").click();
  await proof.getByRole("button", { name: "Use your password" }).click();
  await proof.getByLabel("Password").fill(CLEO.password);
  await page.keyboard.press("Enter");
  await expect.poll(() => arrived.length).toBe(before + 1);
  expect(arrived.at(-1)?.searchParams.get("code")).toMatch(/^fd_code_/);
  const { data } = await shop.api.listAssistants();
  const second = data.find(({ attributes }) => attributes.name === "Second");
  expect(second?.attributes.permissions).toContain("send_replies");
});
