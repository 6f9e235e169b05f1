import { BEN, joins, signIn } from "@frontdesk/testing/agent-browser";
import { openShop } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);
await joins(shop, BEN);

/** Records notifications by their text, and the sounds, in addition to what the browser does. */
const LISTENING = `
  window.told = [];
  window.sounds = 0;
  window.Notification = class extends Notification {
    constructor(title, options) {
      super(title, options);
      window.told.push(title + ": " + options.body);
      window.last = this;
    }
  };
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    window.sounds += 1;
    return createOscillator.call(this);
  };
`;
const NOTES_OF_A_SOUND = 2;

/** Records how the states of the browser's audio follow each other. */
const AUDIO_STATES = `
  window.states = [];
  const { createOscillator } = AudioContext.prototype;
  AudioContext.prototype.createOscillator = function () {
    this.onstatechange ??= () => window.states.push(this.state);
    return createOscillator.call(this);
  };
`;

const told = async (pages: Page[]) => (await Promise.all(pages.map((page) => page.evaluate("window.told")))).flat();
const sounds = async (pages: Page[]) => {
  const each = await Promise.all(pages.map((page) => page.evaluate("window.sounds") as Promise<number>));
  return each.reduce((sum, number) => sum + number, 0) / NOTES_OF_A_SOUND;
};

async function veraWrites(content: string): Promise<string> {
  const vera = { name: "Vera", email: "vera@acme.test" };
  const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, ...vera, content } });
  return data.attributes.conversation_id;
}

/** Ben writes notes, from a browser without the focus. */
async function asBen(): Promise<(conversationId: string, content: string) => Promise<void>> {
  const headers = { "Content-Type": "application/json", Origin: shop.frontdesk.origin };
  const post = (path: string, body: object, cookie = "") =>
    fetch(`${shop.frontdesk.origin}/app/api${path}`, {
      method: "POST",
      headers: { ...headers, cookie },
      body: JSON.stringify(body),
    });
  const { email, password } = BEN;
  const cookie = /^[^;]+/.exec((await post("/sign-in", { email, password })).headers.get("set-cookie") ?? "")?.[0];
  return async (conversationId, content) => {
    const note = { client_id: crypto.randomUUID(), type: "note", content, mentions: [shop.agentId] };
    const { status } = await post(`/inbox/conversations/${conversationId}/messages`, note, cookie);
    expect(status).toBe(201);
  };
}

/** Their windows are hidden and unfocused. */
async function lookElsewhere(pages: Page[]): Promise<void> {
  for (const page of pages) {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setFocusEmulationEnabled", { enabled: false });
    const { windowId } = await session.send("Browser.getWindowForTarget");
    await session.send("Browser.setWindowBounds", { windowId, bounds: { windowState: "normal" } });
    await session.send("Browser.setWindowBounds", { windowId, bounds: { windowState: "minimized" } });
    await session.detach();
  }
  for (const page of pages) await expect.poll(() => page.evaluate("document.hasFocus()")).toBe(false);
}

/** The clock time in this many hours. */
function hourFromNow(hours: number): string {
  const at = new Date(Date.now() + hours * 3_600_000);
  return `${String(at.getHours()).padStart(2, "0")}:${String(at.getMinutes()).padStart(2, "0")}`;
}

test("an agent who looks elsewhere gets one notification over two tabs, of what they chose, and not at night", async () => {
  const { page: inbox, complaints } = await signIn(shop, "/inbox", { permissions: ["notifications"] });
  const context = inbox.context();
  await context.addInitScript(LISTENING);
  await inbox.reload();
  await inbox.waitForSelector("nav");
  const settings = await context.newPage();
  await settings.goto(`${shop.frontdesk.origin}/app/settings/profile`);
  await settings.getByLabel("From", { exact: true }).waitFor();
  const tabs = [inbox, settings];
  await lookElsewhere(tabs);

  // A message notifies once, by a notification and a sound; the tab shows it too, in its title and on its icon.
  const conversationId = await veraWrites("Is anybody there?");
  const heard = ["Vera: Is anybody there?"];
  await expect.poll(() => told(tabs)).toEqual(heard);
  expect(await sounds(tabs)).toBe(1);
  for (const [page, title] of [
    [inbox, "(1) Open – Frontdesk"],
    [settings, "(1) Profile – Frontdesk"],
  ] as const) {
    await expect.poll(() => page.title()).toBe(title);
    await expect.poll(() => page.evaluate("document.querySelector('link[rel=icon]').href")).toMatch(/^data:image/);
  }
  await veraWrites("Hello?");
  heard.push("Vera: Hello?");
  await expect.poll(async () => (await told(tabs)).length).toBe(2);
  expect((await told(tabs)).toSorted()).toEqual(heard.toSorted());

  // A click on it opens the conversation.
  const teller = (await inbox.evaluate("window.last !== undefined")) ? inbox : settings;
  await teller.evaluate("window.last.onclick()");
  await expect.poll(() => teller.url()).toContain(`/app/inbox/${conversationId}`);
  await inbox.goto(`${shop.frontdesk.origin}/app/inbox`);
  await settings.goto(`${shop.frontdesk.origin}/app/settings/profile`);

  // Only her own conversations from now on, in both tabs; but mentions still notify.
  const benNotes = await asBen();
  await settings.getByLabel("New messages").selectOption("mine");
  await lookElsewhere(tabs);
  await veraWrites("I have a question.");
  await benNotes(conversationId, "@Ada, she waits");
  await expect.poll(() => told(tabs)).toEqual(["Vera: @Ada, she waits"]);

  // Not in quiet hours; and again when they are over.
  await settings.getByLabel("From", { exact: true }).fill(hourFromNow(-1));
  await settings.getByLabel("To", { exact: true }).fill(hourFromNow(1));
  await lookElsewhere(tabs);
  await benNotes(conversationId, "@Ada, good night");
  await expect.poll(() => inbox.locator("[role=listitem]").first().innerText()).toContain("good night");
  await settings.getByLabel("To", { exact: true }).fill(hourFromNow(-0.5));
  await lookElsewhere(tabs);
  await benNotes(conversationId, "@Ada, good morning");
  await expect.poll(() => told(tabs)).toEqual(["Vera: @Ada, she waits", "Vera: @Ada, good morning"]);
  expect(complaints).toEqual([]);
});

test("the sound is heard when it is switched on, and the browser's audio rests after each", async () => {
  const { page, complaints } = await signIn(shop, "/settings/profile");
  await page.addInitScript(AUDIO_STATES);
  await page.reload();
  const sound = page.getByRole("switch", { name: "Play a sound" });
  const once = ["running", "suspended"];
  for (const heard of [once, [...once, ...once]]) {
    await sound.uncheck();
    await sound.check();
    await expect.poll(() => page.evaluate("window.states")).toEqual(heard);
  }
  expect(complaints).toEqual([]);
});

test("a mention is told in the app, marked in the list, and stands out in the note", async () => {
  const conversationId = await veraWrites("Which pot fits?");
  const { page, complaints } = await signIn(shop, "/contacts");
  await page.getByRole("heading", { name: "Contacts" }).waitFor();
  await expect.poll(() => page.title()).toMatch(/Contacts – Frontdesk$/);
  const benNotes = await asBen();
  await benNotes(conversationId, "Ask @Ada about pots");
  await page.getByText("You were mentioned in the conversation with Vera").first().waitFor();
  await page.goto(`${shop.frontdesk.origin}/app/inbox`);
  const row = page.locator("[role=listitem]", { hasText: "Vera" });
  await row.getByRole("img", { name: "Mentions you" }).waitFor();
  await benNotes(conversationId, "Or @Ada tomorrow");
  await page.getByRole("button", { name: "View", exact: true }).last().click();
  await expect.poll(() => page.url()).toContain(conversationId);
  await expect.poll(() => page.title()).toMatch(/Vera – Frontdesk$/);
  await expect.poll(() => page.locator("article strong").allInnerTexts()).toContain("@Ada");
  await expect.poll(() => row.getByRole("img", { name: "Mentions you" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});
