/** The pictures of the README and the guide: what each shows, and the steps to it. */
import { TOTP_STEP_MS, totpCode } from "@frontdesk/server/access/totp";
import type { Page } from "playwright-core";

/** The accounts: the owner of the demo shop, and the owner of a new team. */
export interface Scene {
  origin: string;
  widgetId: string;
  apiKey: string;
  demo: { email: string; password: string };
  newcomer: { email: string; password: string };
  /** The address of the shop's provider for company sign-in, and its key. */
  sso: { issuer: string; key: string };
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

const openElise = async (page: Page) => {
  await page.locator("[role=listitem]", { hasText: "Elise Warner" }).first().locator("a").click();
  await page.getByRole("list", { name: "Sources" }).waitFor();
  await page.mouse.move(0, 0);
};

async function askWhy(page: Page): Promise<void> {
  await openElise(page);
  await press(page, "Why?");
  await page.getByRole("dialog").getByText("Request 1").click();
}

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

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

async function addApp(page: Page): Promise<string> {
  await press(page, "Add an app");
  await page.getByRole("img", { name: "QR code for your authenticator app" }).waitFor();
  return page.getByRole("dialog").locator("[title]").first().innerText();
}

/** The addresses as a server on the internet shows them. */
async function showConnecting(page: Page): Promise<void> {
  const url = "https://chat.example.com";
  const json = { off: null, public_url: url, mcp: `${url}/mcp`, readonly: `${url}/mcp/readonly`, is_public: true };
  await page.route("**/app/api/connect/addresses", (route) => route.fulfill({ json }));
  await page.reload();
  await page.getByRole("heading", { name: "Connect an app" }).evaluate((heading) => heading.scrollIntoView());
}

/** Cursor asks to be connected. */
async function askAsCursor(page: Page, { origin }: Scene): Promise<void> {
  const redirect = "cursor://anysphere.cursor-mcp/oauth/callback";
  const registered = await fetch(`${origin}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: "Cursor", redirect_uris: [redirect] }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const query = new URLSearchParams({
    ...{ response_type: "code", client_id, redirect_uri: redirect, resource: `${origin}/mcp` },
    ...{ code_challenge: "a".repeat(43), code_challenge_method: "S256" },
  });
  await page.goto(`${origin}/oauth/authorize?${query}`);
  await page.getByRole("button", { name: "Allow" }).waitFor();
}

const PUBLIC_ADDRESS = "https://chat.example.com";
const PROVIDER_ADDRESS = "https://sso.example.com/realms/shop";

/** The addresses as readers have them, instead of those of this computer. */
async function withPublicAddresses(page: Page, { origin, sso }: Scene): Promise<void> {
  const instead = JSON.stringify([
    [origin, PUBLIC_ADDRESS],
    [sso.issuer, PROVIDER_ADDRESS],
  ]);
  await page.evaluate(`{
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode())
      for (const [here, there] of ${instead}) texts.currentNode.data = texts.currentNode.data.replace(here, there);
  }`);
}

/** What is entered for each provider, as its pages show it. */
const PROVIDERS = {
  google: { clientId: "482913007215-k3v9q0.apps.googleusercontent.com" },
  microsoft: {
    issuer: "https://login.microsoftonline.com/5f1d2a7c-3b0e-4c58-9a64-0d7e8b21c9f3/v2.0",
    clientId: "b7c41e90-6d2f-4a83-8e15-92fd30a7c64b",
  },
  okta: { issuer: "https://demo-shop.okta.com", clientId: "0oa8xk2mzqLw7Bv4R5d7" },
  keycloak: { issuer: PROVIDER_ADDRESS, clientId: "frontdesk" },
  authentik: { issuer: "https://sso.example.com/application/o/frontdesk/", clientId: "Zk4T9wq1VnR7sXe2Hb6Y" },
} as const;

/** The dialog with what is needed at this provider. */
function providerDialog(preset: keyof typeof PROVIDERS): Picture {
  const { clientId, ...more }: { clientId: string; issuer?: string } = PROVIDERS[preset];
  return {
    name: `sso-${preset}`,
    path: part("security"),
    height: 900,
    async act(page, scene) {
      await page.getByRole("button", { name: "Add provider" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Provider", { exact: true }).selectOption(preset);
      if (more.issuer) await dialog.getByLabel("Issuer").fill(more.issuer);
      await dialog.getByLabel("Client ID").fill(clientId);
      await dialog.getByLabel("Client secret").fill("a secret of the provider");
      await withPublicAddresses(page, scene);
    },
  };
}

/** Types what the shop's provider asks for, until it sends the browser back. */
async function atProvider(page: Page, { origin }: Scene): Promise<void> {
  await page.fill("input[name=login]", "ada");
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.getByText("Authorize").waitFor();
  await page.click("button[type=submit]");
  await page.waitForURL((url) => url.origin === origin);
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
  {
    name: "ai",
    path: part("ai"),
    height: 1000,
    async act(page) {
      await page.getByText("Conversations per day").waitFor();
      await page.getByRole("heading", { name: "Model", exact: true }).evaluate((heading) => heading.scrollIntoView());
    },
  },
  { name: "ai-results", path: part("ai"), height: 1000 },
  { name: "with-ai", path: () => "/app/inbox?view=with_ai", act: openElise },
  { name: "why", path: () => "/app/inbox?view=with_ai", act: askWhy, height: 900 },
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
  {
    name: "sso",
    path: part("security"),
    height: 1080,
    async act(page, scene) {
      await page.getByText("Company sign-in", { exact: true }).first().scrollIntoViewIfNeeded();
      await withPublicAddresses(page, scene);
    },
  },
  ...(["google", "microsoft", "okta", "keycloak", "authentik"] as const).map(providerDialog),
  {
    name: "sso-test",
    path: ({ sso }) => `/app/sso/${sso.key}/test`,
    width: 1000,
    height: 640,
    async act(page, scene) {
      await atProvider(page, scene);
      await page.getByText("This was a test").waitFor();
    },
  },
  { name: "sso-sign-in", path: () => "/app/sign-in", who: "visitor", width: 1000, height: 640 },
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
  { name: "connect-an-app", path: part("assistants"), act: showConnecting },
  { name: "consent", path: part("assistants"), act: askAsCursor, height: 1330 },
  { name: "passkey", path: part("profile"), act: (page) => press(page, "Add a passkey") },
  { name: "authenticator", path: part("profile"), act: addApp },
  {
    name: "recovery-codes",
    path: part("profile"),
    who: "newcomer",
    async act(page) {
      const secret = await addApp(page);
      await page.getByLabel("Code", { exact: true }).fill(totpCode(secret, Math.floor(Date.now() / TOTP_STEP_MS)));
      await page.keyboard.press("Enter");
      await page.getByRole("dialog", { name: "Save your recovery codes" }).waitFor();
    },
  },
  { name: "spam", path: () => "/app/spam" },
  { name: "widget", path: ({ widgetId }) => `/demo/${widgetId}`, who: "visitor", width: 1000, height: 720, act: talk },
];
