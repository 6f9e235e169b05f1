/**
 * `npm run pictures`: the pictures of the README and the guide, taken of the running product with the data of `frontdesk demo`; all of
 * them, or those that are named (`npm run pictures -- privacy`).
 * They are written to docs/pictures as WebP. Needs Chromium, which `npm test` explains how to install, and fonts for the
 * scripts of the shop's visitors (Debian: fonts-noto-core, fonts-noto-cjk, fonts-noto-color-emoji).
 */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { newServerProcess } from "../packages/server/test/attack/server-process.ts";
import { REAL_CLIENT, startRealIdp } from "../packages/testing/src/real-idp.ts";
import { PROJECT_ROOT } from "./ensure-dependencies.mjs";
import { type Picture, pictures, type Scene } from "./pictures.ts";
import { findChromium } from "./system-programs.mjs";

const FOLDER = join(PROJECT_ROOT, "docs/pictures");
const QUALITY = 90;

const folder = mkdtempSync(join(tmpdir(), "frontdesk-pictures-"));
const idp = await startRealIdp();
writeFileSync(join(folder, "ca.pem"), idp.ca);
const server = await newServerProcess(undefined, {
  // Nothing listens there: the shop can send mail as far as the pictures show.
  SMTP_URL: "smtp://127.0.0.1:9",
  // A host name: passkeys are not for IP addresses.
  PUBLIC_URL: "http://localhost:{port}",
  SSO_ALLOWED_NETWORKS: "127.0.0.0/8",
  NODE_EXTRA_CA_CERTS: join(folder, "ca.pem"),
});
const origin = server.origin.replace("127.0.0.1", "localhost");
const browser = await chromium.launch({
  executablePath: findChromium() ?? "",
  args: ["--no-sandbox", "--hide-scrollbars"],
});
try {
  const scene = await fillShop();
  const signedIn = { ada: await signIn(scene.demo), newcomer: await signIn(scene.newcomer), visitor: undefined };
  scene.sso.key = await addProvider(scene, signedIn.ada);
  mkdirSync(FOLDER, { recursive: true });
  const named = process.argv.slice(2);
  for (const picture of pictures.filter(({ name }) => named.length === 0 || named.includes(name))) {
    const image = await take(picture, scene, signedIn[picture.who ?? "ada"]);
    writeFileSync(join(FOLDER, `${picture.name}.webp`), image);
    console.log(`${picture.name}.webp  ${Math.round(image.length / 1_000)} kB`);
  }
} finally {
  await browser.close();
  await server.remove();
  await idp.close();
  rmSync(folder, { recursive: true });
}

async function fillShop(): Promise<Scene> {
  const frontdesk = join(PROJECT_ROOT, "packages/server/bin/frontdesk.mjs");
  const env = { PATH: process.env.PATH, DATA_DIR: server.dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, [frontdesk, "demo", "--json"], { env });
  const made = JSON.parse(stdout) as Record<string, string>;
  const email = String(made.owner_email);
  const domain = email.slice(email.indexOf("@") + 1);
  await promisify(execFile)(process.execPath, [frontdesk, "sso", "domain", domain], { env });
  idp.people.set("ada", { email, email_verified: true, name: "Ada" });
  await server.team("Acme");
  await server.start();
  return {
    origin,
    widgetId: made.widget_id as string,
    apiKey: made.api_key as string,
    demo: { email: made.owner_email as string, password: made.password as string },
    newcomer: { email: "ada@acme.test", password: "correct horse" },
    sso: { issuer: idp.issuer, key: "" },
  };
}

/** The shop signs in at a provider of its own; resolves to its key. */
async function addProvider({ origin }: Scene, storageState: SignedIn): Promise<string> {
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  await page.goto(`${origin}/app/settings/security`);
  const ask = (method: string, path: string, body?: object) =>
    page.evaluate(
      `fetch("/app/api${path}", {
        method: "${method}",
        headers: { "content-type": "application/json" },
        body: ${JSON.stringify(body && JSON.stringify(body))},
      }).then((answer) => answer.json())`,
    ) as Promise<{ next: { id: string; redirect_uri: string; logout_uri: string } }>;
  const { next } = await ask("GET", "/sso");
  idp.registers(next);
  const { client_id, client_secret } = REAL_CLIENT;
  const provider = { id: next.id, preset: "keycloak", name: "Keycloak", issuer: idp.issuer, client_id, client_secret };
  await ask("POST", "/sso/providers", { ...provider, is_on: true });
  await context.close();
  return next.id;
}

/** The stored state of a signed-in browser. */
async function signIn({ email, password }: Scene["demo"]) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${origin}/app/sign-in`);
  await page.fill("input[name=email]", email);
  await page.fill("input[name=password]", password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/app\/(inbox|start)/);
  const state = await context.storageState();
  await context.close();
  return state;
}

type SignedIn = Awaited<ReturnType<Awaited<ReturnType<Browser["newContext"]>>["storageState"]>>;

async function take(picture: Picture, scene: Scene, signedIn: SignedIn | undefined): Promise<Buffer> {
  const { width = 1360, height = 850, theme = "light", language = "en-GB" } = picture;
  const options: BrowserContextOptions = {
    viewport: { width, height },
    colorScheme: theme,
    locale: language,
    reducedMotion: "reduce",
    // A phone's picture has twice the pixels; a wide one is sharp enough.
    deviceScaleFactor: width < 600 ? 2 : 1,
    // That of the shop's provider.
    ignoreHTTPSErrors: true,
  };
  const context = await browser.newContext({ ...options, ...(signedIn && { storageState: signedIn }) });
  try {
    const page = await context.newPage();
    await page.goto(`${scene.origin}${picture.path(scene)}`);
    await picture.act?.(page, scene);
    await settled(page);
    const session = await context.newCDPSession(page);
    const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
    return Buffer.from(data, "base64");
  } finally {
    await context.close();
  }
}

/** Fonts and images are loaded and painted. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.evaluate("document.fonts.ready.then(() => true)");
  await page.evaluate("new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))");
}
