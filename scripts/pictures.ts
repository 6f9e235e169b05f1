/** The pictures of the README and the guide: what each shows, and the steps to it. */
import type { Page } from "playwright-core";

/** The accounts: the owner of the demo shop, and the owner of a new team. */
export interface Scene {
  origin: string;
  widgetId: string;
  apiKey: string;
  demo: { email: string; password: string };
  newcomer: { email: string; password: string };
}

export interface Picture {
  /** Its file, without the extension. */
  name: string;
  path(scene: Scene): string;
  /** The steps before it is taken. */
  act?(page: Page, scene: Scene): Promise<unknown>;
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  language?: string;
  /** Ada of the demo shop by default. */
  who?: "ada" | "newcomer" | "visitor";
}

const openTess = async (page: Page) => {
  await page.locator("[role=listitem]", { hasText: "Tess Arden" }).first().locator("a").click();
  await page.locator("section textarea").waitFor();
  await page.mouse.move(0, 0);
};

const part = (name: string) => () => `/app/settings/${name}`;

/** A request to the REST API for the scene's team. */
async function ask({ origin, apiKey }: Scene, method: string, path: string, body?: object) {
  const answer = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as { data: { id: string; attributes: { latest_message?: string } }[] };
}

/** A visitor has written, and Ada has answered. */
async function talk(page: Page, scene: Scene): Promise<void> {
  await page.waitForFunction(`"Frontdesk" in window`);
  const attached = page.waitForEvent("frameattached");
  await page.evaluate(`Frontdesk("open")`);
  const frame = await attached;
  await frame.fill("textarea", "Do you ship to Portugal?");
  await frame.press("textarea", "Enter");
  await frame.locator(".waiting").waitFor({ state: "detached" });
  const [newest] = (await ask(scene, "GET", "/conversations/all?limit=1")).data;
  await ask(scene, "POST", "/messages", { conversation_id: newest?.id, content: "We do! It takes three days. 🌿" });
  await frame.locator(".bubble").nth(1).waitFor();
}

export const pictures: readonly Picture[] = [
  { name: "inbox", path: () => "/app/inbox", act: openTess },
  { name: "inbox-dark", path: () => "/app/inbox", act: openTess, theme: "dark" },
  { name: "inbox-arabic", path: () => "/app/inbox", act: openTess, language: "ar" },
  { name: "inbox-phone", path: () => "/app/inbox", width: 390, height: 780 },
  {
    name: "palette",
    path: () => "/app/inbox",
    async act(page) {
      await openTess(page);
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "start", path: () => "/app/start", who: "newcomer" },
  { name: "contacts", path: () => "/app/contacts" },
  { name: "knowledge", path: () => "/app/knowledge", act: (page) => page.locator("main li a").first().click() },
  { name: "widget-settings", path: part("widgets"), height: 1000 },
  { name: "tags", path: part("tags") },
  { name: "team", path: part("team") },
  { name: "privacy", path: part("privacy"), height: 1000 },
  { name: "channels", path: part("channels") },
  {
    name: "email",
    path: () => "/app/inbox",
    async act(page) {
      await page.locator("[role=listitem]", { hasText: "Hannah Brook" }).first().locator("a").click();
      await page.locator("section textarea").waitFor();
      await page.mouse.move(0, 0);
    },
  },
  { name: "audit-log", path: part("audit-log") },
  {
    name: "api-keys",
    path: part("api-keys"),
    act: (page) => page.locator("main section button").first().click(),
  },
  {
    name: "webhooks",
    path: part("webhooks"),
    act: (page) => page.locator("main section button").first().click(),
    height: 1000,
  },
  {
    name: "assistants",
    path: part("assistants"),
    act: (page) => page.locator("main section button").first().click(),
    height: 1000,
  },
  { name: "widget", path: ({ widgetId }) => `/demo/${widgetId}`, who: "visitor", width: 1000, height: 720, act: talk },
];
