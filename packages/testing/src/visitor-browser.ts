/** A visitor in a real browser: a page with the widget, its button in a closed shadow root, and the frame. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "@frontdesk/client";
import type { AgentEventFrame } from "@frontdesk/core/contract/live";
import { widgetTag } from "@frontdesk/core/domain/widget-tag";
import { createApiKey } from "@frontdesk/server/access/create-api-key";
import { createAgent } from "@frontdesk/server/agents/create-agent";
import { setupTeam } from "@frontdesk/server/setup/setup-team";
import { createTeam } from "@frontdesk/server/teams/create-team";
import { createWidget } from "@frontdesk/server/widgets/create-widget";
import type { BrowserContextOptions, Frame, Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { ADA } from "./agent-browser.ts";
import { openBrowser } from "./browser.ts";
import { type InProcessInstallation, newInstallation, type WhenOver } from "./installation.ts";
import { passwordHashOf } from "./password-hash.ts";

export interface Shop {
  frontdesk: InProcessInstallation;
  teamId: string;
  widgetId: string;
  agentId: string;
  apiKey: string;
  api: ReturnType<typeof createClient>;
}

/** A running Frontdesk with Ada the owner, a widget and a key; closed as `newInstallation` says. */
export async function openShop(
  engine: "sqlite" | "postgres" = "sqlite",
  settings: Record<string, string> = {},
  whenOver?: WhenOver,
): Promise<Shop> {
  const frontdesk = await newInstallation(engine, { REST_RATE_LIMIT: "100000", ...settings }, whenOver);
  await frontdesk.start();
  const { app, runtime } = frontdesk.running();
  const team = await app.perform({ kind: "system", teamId: runtime.newId() }, setupTeam, {
    ...{ teamName: "Acme", ownerName: ADA.name, email: ADA.email, widgetName: "Website", apiKeyName: "main" },
    passwordHash: await passwordHashOf(ADA.password),
  });
  if (!team.apiKey) throw new Error("There is no API key.");
  return shopOf(frontdesk, { ...team, apiKey: team.apiKey });
}

/**
 * A new team like that of `openShop`, on the same server: a test that needs a team to itself need not wait for the start of a
 * server.
 */
export async function anotherTeam({ frontdesk }: Pick<Shop, "frontdesk">): Promise<Shop> {
  const { app, runtime } = frontdesk.running();
  const teamId = runtime.newId();
  const actor = { kind: "system", teamId } as const;
  await app.perform(actor, createTeam, { name: "Acme" });
  const owner = { name: ADA.name, email: ADA.email, passwordHash: await passwordHashOf(ADA.password) };
  const { id: agentId } = await app.perform(actor, createAgent, { ...owner, role: "CHAT_AGENT_OWNER" });
  const { id: widgetId } = await app.perform(actor, createWidget, { name: "Website" });
  const { value: apiKey } = await app.perform(actor, createApiKey, { name: "main" });
  return shopOf(frontdesk, { teamId, widgetId, agentId, apiKey });
}

function shopOf(
  frontdesk: InProcessInstallation,
  team: Pick<Shop, "teamId" | "widgetId" | "agentId" | "apiKey">,
): Shop {
  const api = createClient({ baseUrl: `${frontdesk.origin}/api/v1`, apiKey: team.apiKey, retries: 0 });
  const { teamId, widgetId, agentId, apiKey } = team;
  const beginSession: Shop["frontdesk"]["beginSession"] = (email, of = teamId) => frontdesk.beginSession(email, of);
  return { frontdesk: { ...frontdesk, beginSession }, teamId, widgetId, agentId, apiKey, api };
}

/** Settings of a server that sends mail; no mail server is at this address. */
export const WITH_MAIL = { SMTP_URL: "smtp://127.0.0.1:1" };

export interface VisitorPage {
  page: Page;
  /** What the browser reported: console errors, script errors, and violations of the content security policy. */
  complaints: string[];
  /** Requested addresses, without the site's own page. */
  requests: string[];
}

/** A page in a separate browser context, as a visitor has one. */
export async function visit(url: string, options: BrowserContextOptions = {}): Promise<VisitorPage> {
  const context = await openBrowser({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => request.url() !== url && requests.push(request.url()));
  await page.goto(url);
  return { page, complaints, requests };
}

/** Clicks the button in the corner, and waits until the visitor can write. */
export async function openChat(page: Page): Promise<Frame> {
  const place = await buttonPlace(page);
  // It may be open from the page before.
  if (!(await chatButton(page))?.expanded) await page.mouse.click(...place);
  return chatFrame(page);
}

/** The frame, once the visitor can write in it. */
export async function chatFrame(page: Page): Promise<Frame> {
  const found = () => page.frames().find((each) => each.url().includes("/frame/"));
  await expect.poll(found).toBeDefined();
  const frame = found() as Frame;
  await frame.waitForSelector("textarea", { state: "attached" });
  return frame;
}

/** The middle of the button, which selectors cannot reach. */
async function buttonPlace(page: Page): Promise<[number, number]> {
  const size = page.viewportSize();
  if (!size) throw new Error("The page has no size.");
  await page.waitForSelector("frontdesk-chat", { state: "attached" });
  const rightToLeft = await page.evaluate("getComputedStyle(document.body).direction === 'rtl'");
  return [rightToLeft ? 48 : size.width - 48, size.height - 48];
}

/** Waits until the frame has loaded what a first look does not need. */
export async function loadedOnDemand(frame: Frame): Promise<void> {
  await expect.poll(() => frame.evaluate("document.adoptedStyleSheets.length")).toBe(1);
}

export async function write(frame: Frame, text: string): Promise<void> {
  await frame.fill("textarea", text);
  await frame.press("textarea", "Enter");
}

/** The only conversation, once it exists. */
export async function conversationId({ api }: Shop): Promise<string> {
  await expect.poll(async () => (await api.listConversations()).data.length).toBe(1);
  return String((await api.listConversations()).data[0]?.id);
}

/** Ada answers in it. */
export async function answer(shop: Shop, content: string): Promise<void> {
  await shop.api.createMessage({
    body: { conversation_id: await conversationId(shop), content, agent_id: shop.agentId },
  });
}

/** Ada is online with a program, until she leaves; it receives events. */
export async function adaIsOnline({ frontdesk, apiKey, api }: Shop) {
  const socket = new WebSocket(`${frontdesk.origin.replace("http", "ws")}/live`);
  onTestFinished(() => socket.close());
  const events: AgentEventFrame[] = [];
  socket.addEventListener("message", ({ data }) => events.push(JSON.parse(String(data))));
  await once(socket, "open");
  const ready = once(socket, "message");
  socket.send(JSON.stringify({ type: "hello", token: apiKey, present: true }));
  await ready;
  // Presence is stored slightly later, and a new visitor is sent the stored value.
  await expect.poll(async () => (await api.listAgents()).data[0]?.attributes.online_status).toBe("online");
  return {
    says: (frame: object) => socket.send(JSON.stringify(frame)),
    leaves: () => socket.close(),
    rating: () => events.findLast(({ conversation }) => conversation)?.conversation?.rating,
  };
}

/** Ada resolves the conversation. */
export async function resolve(shop: Shop): Promise<void> {
  await shop.api.setConversationStatus({
    params: { conversation_id: await conversationId(shop) },
    body: { status: "resolved" },
  });
}

export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

/** Chooses files by the button, as a visitor does. */
export async function choose(page: Page, frame: Frame, label: string, ...files: ChosenFile[]): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await frame.getByLabel(label, { exact: true }).last().click();
  await (await chooser).setFiles(files);
}

/** An image of one pixel. */
export const picture: ChosenFile = {
  name: "fern.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
    "base64",
  ),
};

export const notes = (name: string, text = "Water it on Sundays."): ChosenFile => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text),
});

/** Limits the upload, in bytes a second, so that its progress is visible; the returned function ends it. */
export async function slowNetwork(page: Page, uploadThroughput: number): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const set = (bytes: number) =>
    session.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytes,
    });
  await session.send("Network.enable");
  await set(uploadThroughput);
  return async () => {
    await set(-1);
    await session.detach();
  };
}

/** The texts of the bubbles, from the top. */
export function bubbles(frame: Frame): Promise<string[]> {
  return frame.locator(".bubble").allTextContents();
}

export interface AccessibleNode {
  role: string;
  name: string;
  expanded: boolean | undefined;
}

/** The accessibility tree of the page, including closed shadow roots. */
export async function accessibilityTree(page: Page): Promise<AccessibleNode[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes.map((node) => ({
    role: String(node.role?.value ?? ""),
    name: String(node.name?.value ?? ""),
    expanded: node.properties?.find(({ name }) => name === "expanded")?.value.value as boolean | undefined,
  }));
}

/** The button in the corner, in the accessibility tree. */
export async function chatButton(page: Page): Promise<AccessibleNode | undefined> {
  return (await accessibilityTree(page)).find(({ role, name }) => role === "button" && name.startsWith("Chat"));
}

/** A site with its own origin: its page at "/", with these headers. Resolves to its address. */
export async function siteWith(html: string, headers: Record<string, string> = {}): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === "/favicon.ico") return response.writeHead(204).end();
    response.writeHead(200, { "Content-Type": "text/html; charset=utf-8", ...headers }).end(html);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The script tag of the widget, as an owner pastes it. */
export function tag({ frontdesk, widgetId }: Shop): string {
  return widgetTag(frontdesk.origin, widgetId);
}
