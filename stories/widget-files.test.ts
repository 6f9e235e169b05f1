import { enginesOf } from "@frontdesk/testing/installation";
import {
  bubbles,
  choose,
  conversationId,
  loadedOnDemand,
  notes,
  openChat,
  openShop,
  picture,
  resolve,
  type Shop,
  slowNetwork,
  visit,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Frame } from "playwright-core";
import { expect, test } from "vitest";
import type { Chat } from "../packages/core/src/contract/visitor.ts";

/** Files that are dropped on the chat, or pasted into it. */
async function bring(frame: Frame, how: "drop" | "paste", name: string): Promise<void> {
  await frame.evaluate(
    `(() => {
      const data = new DataTransfer();
      data.items.add(new File(["Some words."], ${JSON.stringify(name)}, { type: "text/plain" }));
      const box = document.querySelector("textarea");
      const options = { bubbles: true, cancelable: true };
      if (${how === "paste"}) return box.dispatchEvent(new ClipboardEvent("paste", { ...options, clipboardData: data }));
      box.dispatchEvent(new DragEvent("dragover", { ...options, dataTransfer: data }));
      return new Promise((resolve) => setTimeout(resolve, 50)).then(() => {
        window.overlay = document.querySelector(".drop")?.textContent;
        box.dispatchEvent(new DragEvent("drop", { ...options, dataTransfer: data }));
      });
    })()`,
  );
}

const chips = (frame: Frame) => frame.locator(".files bdi").allTextContents();
/** Waits until all chosen files are uploaded. */
const allThere = (frame: Frame) => expect.poll(() => frame.locator(".files progress, .files .problem").count()).toBe(0);

/** The attachments of the visitor's messages, as the service has them. The page shows a first message before it has one. */
async function attachmentsOf({ frontdesk, widgetId }: Shop, frame: Frame) {
  const token = await frame.evaluate(`localStorage["frontdesk:${widgetId}:token"]`);
  const headers = { authorization: `Bearer ${token}` };
  const ask = () => fetch(`${frontdesk.origin}/visitor/${widgetId}/chat`, { headers });
  await expect.poll(async () => (await ask()).status).toBe(200);
  const { messages } = (await (await ask()).json()) as Chat;
  return messages.flatMap(({ attachments }) => attachments).map(({ name, mime, size }) => [name, mime, size]);
}

test("files can be chosen while the script that attaches them is still loading", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const answers = Promise.withResolvers<void>();
  await page.route(/\/on-demand-/, async (route) => {
    await answers.promise;
    await route.continue();
  });
  const frame = await openChat(page);
  await choose(page, frame, "Attach files", notes("first.txt"));
  answers.resolve();
  await expect.poll(() => chips(frame)).toEqual(["first.txt"]);
});

test.each(enginesOf("sqlite"))(
  "files come by button, by drop and by paste; pictures are seen in their place, others are links with their size (%s)",
  async (engine) => {
    const shop = await openShop(engine);
    const { page, complaints } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
    const frame = await openChat(page);
    await choose(page, frame, "Attach files", picture, notes("care.txt"));
    await bring(frame, "drop", "dropped.txt");
    await expect.poll(() => frame.evaluate("window.overlay")).toBe("Attach files");
    await bring(frame, "paste", "pasted.txt");
    await expect.poll(() => chips(frame)).toEqual(["fern.png", "care.txt", "dropped.txt", "pasted.txt"]);
    expect(await frame.locator(".drop").count()).toBe(0);
    await allThere(frame);
    // An image is seen before it is sent.
    await expect.poll(() => frame.evaluate("document.querySelector('.files img').naturalWidth")).toBe(1);
    expect(await frame.locator(".files img").count()).toBe(1);

    // Before anything was written: the files are sent with the first message, here without text.
    await frame.press("textarea", "Enter");
    await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
    expect(await chips(frame)).toEqual([]);
    expect(await bubbles(frame)).toEqual(["care.txt 1 kB", "dropped.txt 1 kB", "pasted.txt 1 kB"]);
    expect(await attachmentsOf(shop, frame)).toEqual([
      ["fern.png", "image/png", picture.buffer.length],
      ["care.txt", "text/plain", 20],
      ["dropped.txt", "text/plain", 11],
      ["pasted.txt", "text/plain", 11],
    ]);

    const image = frame.getByAltText("fern.png");
    await expect.poll(() => frame.evaluate("document.querySelector('.picture img').naturalWidth")).toBe(1);
    expect(await image.boundingBox()).toMatchObject({ width: 224, height: 168 });
    expect(await frame.locator(".picture a").getAttribute("rel")).toBe("noreferrer");
    expect(complaints).toEqual([]);
  },
);

test("a picture from elsewhere is a link: a visitor's browser sends requests to us only", async () => {
  const shop = await openShop();
  const { page, requests } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "Do you have a picture?");
  await shop.api.createMessage({
    body: {
      conversation_id: await conversationId(shop),
      agent_id: shop.agentId,
      attachments: [{ url: "https://pictures.test/fern.png", name: "fern.png", mime: "image/png" }],
    },
  });
  await expect.poll(() => bubbles(frame)).toEqual(["Do you have a picture?", "fern.png "]);
  // Without a text, a screen reader hears the file's name.
  expect(await frame.locator("[aria-live=polite]").textContent()).toBe("Ada: fern.png");
  expect(requests.filter((url) => !url.startsWith(shop.frontdesk.origin))).toEqual([]);
});

test("how far a file is can be seen, sending waits for it, and an upload can be taken back", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  const quick = await slowNetwork(page, 20_000);
  const large = "x".repeat(200_000);
  await choose(page, frame, "Attach files", notes("first.txt", large), notes("second.txt", large));
  const progress = frame.getByLabel("first.txt", { exact: true });
  await expect.poll(async () => Number(await progress.getAttribute("value"))).toBeGreaterThan(0);
  expect(Number(await progress.getAttribute("value"))).toBeLessThan(1);

  await write(frame, "Here they are");
  expect(await frame.locator("[role=status]").textContent()).toBe("Sending…");
  expect(await bubbles(frame)).toEqual([]);
  await frame.getByLabel("Delete: second.txt").click();
  await expect.poll(() => chips(frame)).toEqual(["first.txt"]);
  await quick();
  await expect.poll(() => bubbles(frame)).toEqual(["Here they are", "first.txt 196 kB"]);
  expect(await attachmentsOf(shop, frame)).toEqual([["first.txt", "text/plain", 200_000]]);
  await expect.poll(() => frame.inputValue("textarea")).toBe("");

  // Whatever else is filled in meanwhile, the message is sent.
  await resolve(shop);
  await frame.waitForSelector("[type=radio]", { state: "attached" });
  const quickAgain = await slowNetwork(page, 20_000);
  await choose(page, frame, "Attach files", notes("third.txt", large));
  await write(frame, "And this");
  await quickAgain();
  await expect
    .poll(() => bubbles(frame))
    .toEqual(["Here they are", "first.txt 196 kB", "And this", "third.txt 196 kB"]);
});

test("what is too large, empty or one too many says so at the top, and can be removed", async () => {
  const shop = await openShop("sqlite", { UPLOAD_MAX_MB: "1" });
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  const huge = notes("huge.txt", "x".repeat(1_100_000));
  await choose(page, frame, "Attach files", notes("good.txt"), huge, notes("empty.txt", ""));
  await expect
    .poll(() => frame.locator(".files .problem").allTextContents())
    .toEqual(["Files can be up to 1 MB.", "This file is empty."]);
  expect(await chips(frame)).toEqual(["huge.txt", "empty.txt", "good.txt"]);
  await expect.poll(() => frame.getByLabel("Send").isDisabled()).toBe(true);
  // Neither is accepted by trying again.
  expect(await frame.getByRole("button", { name: "Try again" }).count()).toBe(0);
  await frame.getByLabel("Delete: huge.txt").click();
  await frame.getByLabel("Delete: empty.txt").click();
  await expect.poll(() => frame.getByLabel("Send").isEnabled()).toBe(true);
  await frame.getByLabel("Delete: good.txt").click();

  await choose(page, frame, "Attach files", ...Array.from({ length: 11 }, (_none, index) => notes(`${index + 1}.txt`)));
  await expect.poll(() => chips(frame)).toHaveLength(9);
  await expect.poll(() => frame.locator("#message-problem").textContent()).toBe("Up to 9 files per message.");
  await allThere(frame);
  await frame.press("textarea", "Enter");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect(await attachmentsOf(shop, frame)).toHaveLength(9);
});

test("without a network a file waits and goes by itself; one that was refused goes when it is tried again", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await loadedOnDemand(frame);
  await page.context().setOffline(true);
  await choose(page, frame, "Attach files", notes("later.txt"));
  await expect
    .poll(() => frame.locator(".files .problem").allTextContents())
    .toEqual(["Sends once the connection is back"]);
  await write(frame, "See the file");
  await page.context().setOffline(false);
  await expect.poll(() => bubbles(frame)).toEqual(["See the file", "later.txt 1 kB"]);

  // A proxy refuses once.
  await page.route(/\/files\?/, (route) => route.fulfill({ status: 403, json: { message: "No." } }), { times: 1 });
  await choose(page, frame, "Attach files", notes("again.txt"));
  await expect.poll(() => frame.locator(".files .problem").allTextContents()).toEqual(["Not sent"]);
  await frame.getByRole("button", { name: "Try again" }).click();
  await allThere(frame);
  await frame.press("textarea", "Enter");
  await expect.poll(() => bubbles(frame)).toEqual(["See the file", "later.txt 1 kB", "again.txt 1 kB"]);
});

test("a reload, and another page of the site, keep the text and the files that are there", async () => {
  const shop = await openShop();
  const { page, complaints } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await choose(page, frame, "Attach files", notes("there.txt"), notes("taken-back.txt"));
  await allThere(frame);
  await slowNetwork(page, 20_000);
  await choose(page, frame, "Attach files", notes("on-its-way.txt", "x".repeat(200_000)));
  await frame.fill("textarea", "Not sent yet");
  await page.reload();
  const again = await openChat(page);
  expect(await again.inputValue("textarea")).toBe("Not sent yet");
  expect(await chips(again)).toEqual(["there.txt", "taken-back.txt"]);
  await again.getByLabel("Delete: taken-back.txt").click();
  await again.press("textarea", "Enter");
  await expect.poll(() => bubbles(again)).toEqual(["Not sent yet", "there.txt 1 kB"]);
  await expect.poll(() => again.locator(".waiting").count()).toBe(0);

  // Signing out leaves nothing behind.
  await again.fill("textarea", "Private");
  await page.evaluate("Frontdesk('shutdown')");
  await page.reload();
  const fresh = await openChat(page);
  expect(await fresh.inputValue("textarea")).toBe("");
  // The token made for the files is unknown to the service when the page is reloaded.
  expect(complaints.filter((each) => !each.includes("401"))).toEqual([]);
});
