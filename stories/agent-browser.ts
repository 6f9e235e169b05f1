/** An agent in a real browser: the dashboard, signed in. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { BrowserContextOptions, Page } from "playwright-core";
import type { Me } from "../packages/core/src/contract/session.ts";
import type { InvitableRole } from "../packages/core/src/domain/agent.ts";
import { openBrowser } from "./browser.ts";
import type { Shop } from "./visitor-browser.ts";

export interface AgentPage {
  page: Page;
  /** What the browser complained about: errors on the console, in scripts, and of the security policy. */
  complaints: string[];
  /** Addresses that were asked for which are not our own. */
  strangers: string[];
}

export interface Person {
  name: string;
  email: string;
  password: string;
}

/** The owner, who made the team. */
export const ADA: Person = { name: "Ada", email: "ada@acme.test", password: "correct horse" };
export const BEN: Person = { name: "Ben", email: "ben@acme.test", password: "battery staple" };

/** Somebody joins the team by an invitation's link; answers their id. */
export async function joins(
  { frontdesk, api }: Shop,
  { name, email, password }: Person,
  role: InvitableRole = "CHAT_AGENT_MEMBER",
): Promise<string> {
  const { message } = await api.inviteAgents({ body: { agents: [{ email, role }] } });
  const token = /\/join\/(\S+)/.exec(message)?.[1];
  const answer = await fetch(`${frontdesk.origin}/app/api/join/${token}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: frontdesk.origin },
    body: JSON.stringify({ name, password }),
  });
  if (!answer.ok) throw new Error(`${name} could not join: ${await answer.text()}`);
  return ((await answer.json()) as Me).agent.id;
}

/** The dashboard in a browser of its own, before anybody has signed in. */
export async function openDashboard(
  shop: Pick<Shop, "frontdesk">,
  path = "",
  options: BrowserContextOptions = {},
): Promise<AgentPage> {
  const context = await openBrowser({ viewport: { width: 1280, height: 860 }, reducedMotion: "reduce", ...options });
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

/** Signs in, and waits for the inbox or the address that was asked for. */
export async function signIn(
  shop: Pick<Shop, "frontdesk">,
  path = "/inbox",
  options: BrowserContextOptions = {},
  who = ADA,
): Promise<AgentPage> {
  const agent = await openDashboard(shop, path, options);
  await agent.page.fill("input[name=email]", who.email);
  await agent.page.fill("input[name=password]", who.password);
  await agent.page.keyboard.press("Enter");
  await agent.page.waitForSelector("nav", { state: "attached" });
  // Whoever is not signed in is told so by the service, which browsers write down.
  agent.complaints.length = 0;
  return agent;
}

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

interface Violation {
  id: string;
  nodes: { html: string; failureSummary: string }[];
}

/** What keeps people out, on the page as it is now. */
export async function violations(page: Page, of: string): Promise<string[]> {
  // The page's own policy lets no script in, which is right; the tool goes in by the debugger.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(readFileSync(AXE, "utf8"));
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} }).then(({ violations }) => violations)`,
  )) as Violation[];
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${of}: ${id}: ${html.slice(0, 300)} ${failureSummary}`),
  );
}
