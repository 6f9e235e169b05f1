/** A signed-in agent in a real browser, using the dashboard. */

import type { InvitableRole } from "@frontdesk/core/domain/agent";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import type { BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { openBrowser } from "./browser.ts";
import type { Installation } from "./installation.ts";
import { passwordHashOf } from "./password-hash.ts";
import type { Shop } from "./visitor-browser.ts";

export interface AgentPage {
  page: Page;
  /** What the browser reported: console errors, script errors, and violations of the content security policy. */
  complaints: string[];
  /** Requested addresses that are not our own. */
  strangers: string[];
}

/** Pages poll twice a second instead of every few seconds, so that no story waits for it. */
const SHORT_INTERVALS = `{
  const begin = window.setInterval;
  window.setInterval = (act, ms, ...more) => begin(act, Math.min(ms, 500), ...more);
}`;

type Cookies = Parameters<BrowserContext["addCookies"]>[0];

export interface Person {
  name: string;
  email: string;
  password: string;
}

/** The owner, who created the team. */
export const ADA: Person = { name: "Ada", email: "ada@acme.test", password: "correct horse" };
export const BEN: Person = { name: "Ben", email: "ben@acme.test", password: "battery staple" };

/** Adds an agent to the team; resolves to their id. The stories about access use the invitation itself. */
export async function joins(
  { frontdesk, teamId }: Shop,
  { name, email, password }: Person,
  role: InvitableRole = "CHAT_AGENT_MEMBER",
): Promise<string> {
  const passwordHash = await passwordHashOf(password);
  const { app } = frontdesk.running();
  const agent = await app.perform({ kind: "system", teamId }, createAgent, { name, email, role, passwordHash });
  return agent.id;
}

/** The dashboard in a separate browser context; without a session cookie no agent is signed in. */
export async function openDashboard(
  shop: { frontdesk: Pick<Installation, "origin"> },
  path = "",
  options: BrowserContextOptions = {},
  cookies: Cookies = [],
): Promise<AgentPage> {
  const context = await openBrowser({ viewport: { width: 1280, height: 860 }, reducedMotion: "reduce", ...options });
  await context.addCookies(cookies);
  await context.addInitScript(SHORT_INTERVALS);
  const page = await context.newPage();
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(shop.frontdesk.origin) && !/^(blob|data):/.test(url)) strangers.push(url);
  });
  await page.goto(`${shop.frontdesk.origin}/app${path}`);
  return { page, complaints, strangers };
}

/**
 * The dashboard of an agent with a session, once the inbox or the requested address is shown. Signing in itself is tested in
 * `dashboard-access.test.ts`.
 */
export async function signIn(
  { frontdesk }: Pick<Shop, "frontdesk">,
  path = "/inbox",
  options: BrowserContextOptions = {},
  who = ADA,
): Promise<AgentPage> {
  const cookie = { name: "frontdesk", value: await frontdesk.beginSession(who.email), url: frontdesk.origin };
  const agent = await openDashboard({ frontdesk }, path, options, [cookie]);
  await agent.page.waitForSelector("nav", { state: "attached" });
  return agent;
}

/** An open dialog. For a screen reader a toast is a dialog as well, and one stays for some seconds. */
export function dialogOf(page: Page): Locator {
  return page.locator("[role=dialog]:not([role=region] [role=dialog]), [role=alertdialog]");
}

/** Navigates as a link does, and waits for all requests of the screen. Resolves to the refused ones. */
export function pageNavigator(page: Page) {
  const open = new Set<object>();
  const refused: string[] = [];
  page.on("request", (request) => open.add(request));
  page.on("requestfailed", (request) => open.delete(request));
  page.on("requestfinished", (request) => open.delete(request));
  page.on("response", (answer) => {
    if ([401, 403].includes(answer.status())) refused.push(`${page.url()}: ${answer.url()} ${answer.status()}`);
  });
  return {
    refused,
    async go(address: string) {
      await page.evaluate(`history.pushState({}, "", ${JSON.stringify(`/app${address}`)})`);
      // Twice, because an answer may cause more requests.
      for (let quiet = 0; quiet < 2; quiet += 1) {
        await expect.poll(() => open.size, { interval: 30 }).toBe(0);
        await page.evaluate("new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 30)))");
      }
    },
  };
}
