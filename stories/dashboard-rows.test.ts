/** What an agent expects of an inbox besides messages: images, saved replies, the timeline, away, and the website's state. */
import { crc32, deflateSync } from "node:zlib";
import { violations, violationsInDepth } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import {
  bubbles,
  type ChosenFile,
  openChat,
  openShop,
  siteWith,
  visit,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const shop = await openShop("sqlite", {}, afterAll);

const field = (page: Page) => page.locator("section textarea");
const thread = (page: Page) => page.locator("[data-index]").allTextContents();

/** Vera writes; the conversation is the newest one. */
async function veraWrites(content: string): Promise<string> {
  const contact = { name: "Vera Lind", email: "vera@acme.test" };
  const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, ...contact, content } });
  return data.attributes.conversation_id;
}

test("pictures open large and zoom, a reply is saved as a canned reply, and a thread shows its timeline", async () => {
  const id = await veraWrites("Which fern is this?");
  const { page, complaints } = await signIn(shop, `/inbox/${id}`);
  await field(page).waitFor();

  // Two images.
  await page.locator("section input[type=file]").setInputFiles([picture("fern.png", 800), picture("pot.png", 600)]);
  await field(page).fill("Hi Vera, it is a maidenhair.");
  await expect.poll(() => page.getByRole("button", { name: "Send", exact: true }).isEnabled()).toBe(true);
  // Opened while the message is on its way, and looked at when it has arrived.
  const held = Promise.withResolvers<void>();
  await page.route("**/messages", async (route) => {
    if (route.request().method() === "POST") await held.promise;
    await route.continue();
  });
  await page.keyboard.press("Enter");
  const enlarge = page.getByRole("button", { name: "Enlarge fern.png" });
  await page.getByText("Sending…").waitFor();
  await enlarge.click();
  await dialogOf(page).waitFor();
  held.resolve();
  await page.getByText("Sending…").waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate("document.querySelector('[role=dialog] img')?.naturalWidth")).toBe(800);
  const zoom = dialogOf(page).getByText(/^\d+%$/);
  await page.locator("[role=dialog]:focus").waitFor();
  await page.keyboard.press("+");
  await expect.poll(() => zoom.textContent()).toBe("150%");
  await page.mouse.move(640, 300);
  await page.mouse.wheel(0, -400);
  await expect.poll(async () => Number.parseInt(String(await zoom.textContent()), 10)).toBeGreaterThan(200);
  const placeOf = () => dialogOf(page).locator("img").boundingBox();
  const before = await placeOf();
  await page.mouse.down();
  await page.mouse.move(700, 340, { steps: 4 });
  await page.mouse.up();
  await expect.poll(async () => Math.round(((await placeOf())?.x ?? 0) - (before?.x ?? 0))).toBe(60);
  expect(await violationsInDepth(page, "a picture")).toEqual([]);
  await page.keyboard.press("0");
  await expect.poll(() => zoom.textContent()).toBe("100%");
  await page.keyboard.press("ArrowRight");
  await dialogOf(page).getByText("2 of 2").waitFor();
  await dialogOf(page).getByRole("img", { name: "pot.png" }).waitFor();
  expect(await dialogOf(page).getByRole("link", { name: "Download" }).getAttribute("download")).toBe("pot.png");
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });
  await expect.poll(() => page.evaluate("document.activeElement.ariaLabel")).toBe("Enlarge fern.png");

  // A reply is saved as a canned reply.
  const more = page.getByRole("button", { name: "Message actions" }).last();
  await more.focus();
  await page.keyboard.press("Enter");
  await page.getByRole("menu").waitFor();
  expect(await violationsInDepth(page, "the menu of a message")).toEqual([]);
  await page.getByRole("menuitem", { name: /canned/ }).click();
  await dialogOf(page).waitFor();
  expect(await dialogOf(page).getByLabel("Text").inputValue()).toBe("Hi {{contact.first_name}}, it is a maidenhair.");
  expect(await dialogOf(page).getByLabel("Name").inputValue()).toBe("maidenhair");
  await dialogOf(page).getByRole("button", { name: "Save" }).click();
  await dialogOf(page).waitFor({ state: "detached" });
  await field(page).fill("");
  await field(page).pressSequentially("/mdh");
  await page.getByRole("option", { name: /maidenhair/ }).waitFor();
  await page.keyboard.press("Tab");
  await expect.poll(() => field(page).inputValue()).toBe("Hi Vera, it is a maidenhair.");
  await field(page).fill("");
  await page.keyboard.press("Control+k");
  await dialogOf(page).getByRole("combobox").waitFor();
  await page.keyboard.type("save last reply");
  await page.keyboard.press("Enter");
  await dialogOf(page).getByLabel("Name").waitFor();
  await page.keyboard.press("Escape");
  await dialogOf(page).waitFor({ state: "detached" });

  // The timeline shows an action at once, and once.
  await shop.api.addTag({ params: { conversation_id: id }, body: { name: "vip", color: "#4f46e5" } });
  await shop.api.assignAgent({ params: { conversation_id: id }, body: { agent_id: shop.agentId } });
  await expect.poll(() => thread(page)).toContainEqual(expect.stringContaining("Ada added the tag “vip”"));
  await expect.poll(() => thread(page)).toContainEqual(expect.stringContaining("Ada assigned themselves"));
  await shop.api.setConversationStatus({ params: { conversation_id: id }, body: { status: "resolved" } });
  await expect.poll(() => thread(page)).toContainEqual(expect.stringContaining("Ada resolved this"));
  // The new mark is gone.
  const told = (await thread(page)).filter((line) => line !== "New messages");
  await page.reload();
  await field(page).waitFor();
  await expect.poll(() => thread(page)).toEqual(told);
  expect(complaints).toEqual([]);

  // Another agent reads the timeline and refusals in their own language.
  const german = await signIn(shop, `/inbox/${id}`, { locale: "de" });
  await expect
    .poll(() => thread(german.page))
    .toContainEqual(expect.stringContaining("Ada hat das Tag „vip“ hinzugefügt"));
  await german.page.goto(`${shop.frontdesk.origin}/app/settings/canned-replies`);
  await german.page.getByRole("button", { name: "Textbaustein hinzufügen" }).click();
  await dialogOf(german.page).getByLabel("Name").fill("maidenhair");
  await dialogOf(german.page).locator("textarea").fill("Noch einmal");
  await dialogOf(german.page).locator("button[type=submit]").click();
  await dialogOf(german.page).getByText("Dieser Name ist schon vergeben.").waitFor();
});

test("rows have the chosen density from the first paint on; an idle agent is away", async () => {
  await veraWrites("Hello again");
  const { page, complaints } = await signIn(shop, "/settings/profile");
  await page.getByLabel("List density").selectOption("Compact");
  await page.getByLabel("Set me away after").selectOption("5 minutes");
  await page.getByRole("switch", { name: "Set me away outside my hours" }).click();
  await page.getByRole("checkbox", { name: "Sun" }).waitFor();
  expect(await page.evaluate("document.documentElement.scrollHeight - innerHeight")).toBe(0);
  expect(await violations(page, "the profile")).toEqual([]);
  await page.getByRole("switch", { name: "Set me away outside my hours" }).click();
  await page.goto(`${shop.frontdesk.origin}/app/inbox`);
  const row = page.locator("[role=listitem]").first();
  await expect.poll(async () => (await row.boundingBox())?.height).toBe(52);
  // All heights that rows have had.
  await page.addInitScript(`
    window.heights = new Set();
    const look = () => {
      for (const row of document.querySelectorAll("[role=listitem]")) heights.add(row.offsetHeight);
      requestAnimationFrame(look);
    };
    look();
  `);
  await page.reload();
  await row.waitFor();
  await expect.poll(() => page.title()).toMatch(/Frontdesk|\(/);
  await expect.poll(() => page.evaluate("[...heights]")).toEqual([52]);
  expect(await violations(page, "compact rows")).toEqual([]);

  const statusOf = async () =>
    (await shop.api.getAgent({ params: { id: shop.agentId } })).data.attributes.online_status;
  const own = page.getByRole("button", { name: /Ada/ });
  await expect.poll(() => own.innerText()).toContain("Online");
  const { page: site } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const chat = await openChat(site);
  await write(chat, "Is anybody there?");
  await expect.poll(() => bubbles(chat)).toContain("Is anybody there?");
  await expect.poll(() => chat.locator("body").innerText()).toContain("We’re online");

  // Another tab has stored the last activity: six minutes ago.
  const other = await page.context().newPage();
  await other.goto(`${shop.frontdesk.origin}/health/live`);
  await other.evaluate("localStorage.setItem('frontdesk:touched-at', String(Date.now() - 6 * 60_000))");
  await expect.poll(() => own.innerText()).toContain("Away");
  await expect.poll(statusOf).toBe("away");
  await expect.poll(() => chat.locator("body").innerText()).not.toContain("We’re online");
  const touched = async () => {
    await page.keyboard.press("Shift");
    return own.innerText();
  };
  await expect.poll(touched).toContain("Online");
  await expect.poll(statusOf).toBe("online");
  await expect.poll(() => chat.locator("body").innerText()).toContain("We’re online");
  expect(complaints).toEqual([]);
});

test("an owner who waits for their site sees it come, and no demo page is taken for it", async () => {
  const { page, complaints } = await signIn(shop, "/start");
  await page.getByRole("button", { name: "Next" }).click();
  const status = page.locator("main p[role=status]");
  await expect.poll(() => status.innerText()).toMatch(/^Waiting for your website/);
  const snippet = await page.locator("pre", { hasText: "data-widget" }).innerText();
  await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const address = await siteWith(`<!doctype html><title>Ferns</title><body>${snippet}`);
  await expect.poll(() => status.innerText()).toMatch(/^Waiting for your website/);
  const { requests } = await visit(address);
  await expect.poll(() => status.innerText()).toMatch(/^It works! 127\.0\.0\.1:\d+ loaded/);
  // The only request of the page is the loader.
  expect(requests).toHaveLength(1);
  expect(await violations(page, "the site has come")).toEqual([]);
  expect(complaints).toEqual([]);
});

/** An image of some size, in one color. */
function picture(name: string, width: number): ChosenFile {
  const height = Math.round(width * 0.75);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width * 3, name)]);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const buffer = Buffer.concat([
    Buffer.from("89504e470d0a1a0a", "hex"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
  return { name, mimeType: "image/png", buffer };
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
