import { looksOf, violations } from "@frontdesk/testing/accessibility";
import { deep } from "@frontdesk/testing/depth";
import {
  answer,
  bubbles,
  chatButton,
  chatFrame,
  conversationId,
  loadedOnDemand,
  openChat,
  openShop,
  picture,
  type Shop,
  siteWith,
  tag,
  visit,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Frame, Page } from "playwright-core";
import { expect, test } from "vitest";

const shopPage = (shop: Shop, { html = 'lang="en"', head = "" } = {}) =>
  `<!doctype html><html ${html}><head><title>Shop</title><meta name="viewport" content="width=device-width">${head}</head>` +
  `<body><main><h1>Shop</h1></main>${tag(shop)}</body></html>`;

/** The page's visitor has asked something and closed the chat. */
async function hasAsked(page: Page): Promise<Frame> {
  const frame = await openChat(page);
  await write(frame, "Which plant likes a dark hallway?");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  await page.evaluate("Frontdesk('close')");
  await expect.poll(() => placeOf(page)).toBeUndefined();
  return frame;
}

/** The place of the frame on the page; undefined while it is hidden. */
async function placeOf(page: Page) {
  const frame = page.frames().find((each) => each.url().includes("/frame/"));
  return (await (await frame?.frameElement())?.boundingBox()) ?? undefined;
}

/** The texts of the preview above the button; none while there is no preview. */
async function previewOf(page: Page): Promise<string[]> {
  const place = await placeOf(page);
  return place?.height === 88
    ? (await chatFrame(page)).locator(".preview b, .preview small, .answer").allTextContents()
    : [];
}

const announced = (frame: Frame) => frame.locator("[aria-live=polite]").textContent();
/** Goes to another page of the site; resolves to what is announced there, from its beginning on. */
async function announcementsAt(page: Page, url: string): Promise<() => Promise<unknown>> {
  await page.addInitScript(`{
    window.heard = [];
    let last = "";
    new MutationObserver(() => {
      const text = document.querySelector("[aria-live=polite]")?.textContent ?? "";
      if (text && text !== last) heard.push(text);
      last = text;
    }).observe(document, { childList: true, characterData: true, subtree: true });
  }`);
  await page.goto(url);
  const frame = await chatFrame(page);
  return () => frame.evaluate("heard");
}

/** Whether the end of the last message is in view. */
const showsLast = (frame: Frame) =>
  frame.evaluate(
    "(({ height, bottom }) => height > 0 && bottom < innerHeight)([...document.querySelectorAll('.bubble')].at(-1).getBoundingClientRect())",
  );

const nameOfButton = async (page: Page) => (await chatButton(page))?.name;
const focused = (place: Page | Frame) => place.evaluate("document.activeElement.tagName");

/** Uploads it as the dashboard does. Resolves to its address. */
async function adaHasAPhoto({ frontdesk }: Shop): Promise<string> {
  const cookie = `frontdesk=${await frontdesk.beginSession("ada@acme.test")}`;
  const ask = async (method: string, path: string, body: string | Uint8Array<ArrayBuffer>, type: string) => {
    const headers = { cookie, "content-type": type, "sec-fetch-site": "same-origin" };
    const response = await fetch(`${frontdesk.origin}/app/api${path}`, { method, headers, body });
    expect(response.ok).toBe(true);
    return (await response.json()) as { data: { attributes: { url: string } } };
  };
  const { data } = await ask("POST", "/v1/files?name=ada.png", new Uint8Array(picture.buffer), picture.mimeType);
  const profile_photo_url = data.attributes.url;
  await ask("PATCH", "/me", JSON.stringify({ profile_photo_url }), "application/json");
  return profile_photo_url;
}

test("an answer to a closed chat is seen above the button with name, face and two lines, and a click opens the chat there", async () => {
  const shop = await openShop();
  const photo = await adaHasAPhoto(shop);
  const { origin } = shop.frontdesk;
  const policy = `default-src 'self'; script-src ${origin}; frame-src ${origin}; require-trusted-types-for 'script'`;
  const { page, complaints } = await visit(await siteWith(shopPage(shop), { "Content-Security-Policy": policy }));
  const frame = await hasAsked(page);
  for (let count = 1; count <= 20; count += 1) await answer(shop, `Plant ${count}`);
  const last =
    `<img src="x" onerror="document.title='read'"> The snake plant, ${"and the next one, ".repeat(20)}`.trim();
  await answer(shop, last);

  await expect.poll(() => previewOf(page)).toEqual(["Ada", "21 unread messages", last.slice(0, 200)]);
  await expect.poll(() => placeOf(page)).toEqual({ x: 940, y: 680, width: 320, height: 88 });
  expect(await frame.locator(".preview img").getAttribute("src")).toBe(photo);
  // Two lines of 22 px, with more behind them.
  const [height, whole] = (await frame.evaluate(
    "(({ clientHeight, scrollHeight }) => [clientHeight, scrollHeight])(document.querySelector('.answer'))",
  )) as [number, number];
  expect(height).toBe(44);
  expect(whole).toBeGreaterThan(height);
  await expect.poll(() => announced(frame)).toBe(`Ada: ${last}`);
  // It is seen only once it is opened.
  expect(await nameOfButton(page)).toBe("Chat, 21 unread messages");

  await frame.click(".answer");
  await expect.poll(async () => (await chatButton(page))?.expanded).toBe(true);
  await expect.poll(() => placeOf(page)).toMatchObject({ width: 384, height: 640 });
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
  await expect.poll(() => nameOfButton(page)).toBe("Chat");
  expect(await frame.locator(".preview").count()).toBe(0);
  await expect.poll(() => showsLast(frame)).toBe(true);
  expect(complaints).toEqual([]);
});

test("a hidden preview stays hidden in its tab, with its count on the button, until a newer answer comes", async () => {
  const shop = await openShop();
  const site = await siteWith(shopPage(shop));
  const { page, complaints } = await visit(site);
  await hasAsked(page);
  await answer(shop, "The snake plant.");
  await expect.poll(() => previewOf(page)).toEqual(["Ada", "The snake plant."]);
  await answer(shop, "Or an ivy.");
  await expect.poll(() => previewOf(page)).toEqual(["Ada", "2 unread messages", "Or an ivy."]);
  await expect.poll(async () => announced(await chatFrame(page))).toBe("Ada: Or an ivy.");

  // The next page shows it again, and announces only what is new.
  const heard = await announcementsAt(page, `${site}?next`);
  await expect.poll(() => previewOf(page)).toEqual(["Ada", "2 unread messages", "Or an ivy."]);
  await answer(shop, "Ivy likes it darker.");
  await expect.poll(() => previewOf(page)).toEqual(["Ada", "3 unread messages", "Ivy likes it darker."]);
  await expect.poll(heard).toEqual(["Ada: Ivy likes it darker."]);
  await (await chatFrame(page)).getByRole("button", { name: "Hide message" }).click();
  await expect.poll(() => placeOf(page)).toBeUndefined();
  await expect.poll(() => focused(page)).toBe("FRONTDESK-CHAT");
  expect(await nameOfButton(page)).toBe("Chat, 3 unread messages");

  await page.goto(site);
  const frame = await chatFrame(page);
  await loadedOnDemand(frame);
  await expect.poll(() => nameOfButton(page)).toBe("Chat, 3 unread messages");
  expect(await frame.locator(".preview").count()).toBe(0);
  // Another tab is another visit.
  const other = await page.context().newPage();
  await other.goto(site);
  await expect.poll(() => previewOf(other)).toEqual(["Ada", "3 unread messages", "Ivy likes it darker."]);

  await answer(shop, "And less water.");
  for (const each of [page, other]) {
    await expect.poll(() => previewOf(each)).toEqual(["Ada", "4 unread messages", "And less water."]);
  }
  // What is read in one tab needs no preview in another.
  await (await chatFrame(other)).click(".answer");
  await expect.poll(() => placeOf(page)).toBeUndefined();
  await expect.poll(() => nameOfButton(page)).toBe("Chat");
  expect(complaints).toEqual([]);
});

test("a chat that is closed with unread answers shows no preview of them", async () => {
  const shop = await openShop();
  const { page } = await visit(await siteWith(shopPage(shop)));
  const frame = await openChat(page);
  await write(frame, "Hello?");
  for (let count = 1; count <= 30; count += 1) await answer(shop, `Plant ${count}`);
  await expect.poll(() => frame.locator(".bubble").count()).toBe(31);
  // The visitor reads further up; by the second frame the chat knows.
  await frame.evaluate(`new Promise((scrolled) => {
    document.querySelector(".log").scrollTop = 200;
    requestAnimationFrame(() => requestAnimationFrame(scrolled));
  })`);
  await answer(shop, "Are you still there?");
  await frame.waitForSelector(".newest");
  await loadedOnDemand(frame);
  await page.evaluate("Frontdesk('close')");
  await expect.poll(() => frame.evaluate("document.body.className")).toBe("");
  await expect.poll(() => nameOfButton(page)).toBe("Chat, 1 unread message");
  expect(await frame.locator(".preview").count()).toBe(0);
  await answer(shop, "It’s no hurry.");
  await expect.poll(() => previewOf(page)).toEqual(["Ada", "2 unread messages", "It’s no hurry."]);
  // It opens the chat at the answer, not where they have read.
  await frame.click(".answer");
  await expect.poll(() => showsLast(frame)).toBe(true);
});

test("on a phone and from right to left it is as small, and of a file it shows the name", async () => {
  const shop = await openShop();
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
  const { page } = await visit(await siteWith(shopPage(shop, { html: 'lang="ar" dir="rtl"' })), phone);
  const frame = await hasAsked(page);
  await shop.api.createMessage({
    body: {
      conversation_id: await conversationId(shop),
      agent_id: shop.agentId,
      attachments: [{ url: "https://pictures.test/fern.png", name: "fern.png", mime: "image/png" }],
    },
  });
  await expect.poll(() => previewOf(page)).toEqual(["Ada", "fern.png"]);
  await expect.poll(() => placeOf(page)).toEqual({ x: 20, y: 560, width: 320, height: 88 });
  const places = (await frame.evaluate(
    "['.face', '.answer', 'h1 + button + button'].map((each) => document.querySelector('.preview ' + each).getBoundingClientRect().x)",
  )) as number[];
  expect(places).toEqual(places.toSorted((one, other) => other - one));
  await expect.poll(() => frame.locator(".preview .face").boundingBox()).toMatchObject({ width: 36, height: 36 });
  expect(await frame.getByRole("button", { name: "إخفاء الرسالة" }).boundingBox()).toMatchObject({
    width: 40,
    height: 40,
  });
  await frame.tap(".answer");
  await expect.poll(() => placeOf(page)).toEqual({ x: 0, y: 0, width: 360, height: 740 });
});

test.each(looksOf({ width: 375, height: 700 }))(
  "nothing of the preview keeps people out: $name",
  async ({ options, also }) => {
    const shop = await openShop();
    const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, {
      ...options,
      reducedMotion: "reduce",
    });
    if (options.locale === "ar") await page.evaluate("Frontdesk('set', { language: 'ar' })");
    const frame = await hasAsked(page);
    await answer(shop, "The snake plant.");
    await answer(shop, "Or an ivy.");
    await expect.poll(async () => (await previewOf(page)).at(-1)).toBe("Or an ivy.");
    expect(await violations(frame, "preview", also)).toEqual([]);
  },
);

test("the preview is reached, hidden and opened by keyboard alone", async () => {
  const shop = await openShop();
  const { page } = await visit(await siteWith(shopPage(shop)));
  const frame = await hasAsked(page);
  // The button has the focus since the chat was closed.
  expect(await focused(page)).toBe("FRONTDESK-CHAT");
  await answer(shop, "The snake plant.");
  await expect.poll(() => previewOf(page)).toEqual(["Ada", "The snake plant."]);
  await page.keyboard.press("Tab");
  await expect.poll(() => frame.evaluate("document.activeElement.textContent")).toBe("AAdaThe snake plant.");
  await page.keyboard.press("Escape");
  await expect.poll(() => placeOf(page)).toBeUndefined();
  await expect.poll(() => focused(page)).toBe("FRONTDESK-CHAT");

  await answer(shop, "Or an ivy.");
  await expect.poll(async () => (await previewOf(page)).at(-1)).toBe("Or an ivy.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect.poll(() => frame.evaluate("document.activeElement.ariaLabel")).toBe("Hide message");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect.poll(async () => (await chatButton(page))?.expanded).toBe(true);
  await expect.poll(() => focused(frame)).toBe("TEXTAREA");
});

test("the page cannot restyle the preview, and removes it with the chat when the visitor signs out", async () => {
  const shop = await openShop();
  const hostile =
    "<style>*{all:unset!important} main,iframe,dialog,.preview{display:none!important;opacity:0!important}</style>";
  const { page } = await visit(await siteWith(shopPage(shop, { head: hostile })));
  await hasAsked(page);
  // The visitor's own message of another tab has no preview.
  const other = await page.context().newPage();
  await other.goto(page.url());
  await write(await openChat(other), "Or a cold one?");
  const frame = await chatFrame(page);
  await expect.poll(() => bubbles(frame)).toContain("Or a cold one?");
  await loadedOnDemand(frame);
  expect(await frame.locator(".preview").count()).toBe(0);
  await other.close();

  await answer(shop, "The snake plant.");
  await expect.poll(() => previewOf(page)).toEqual(["Ada", "The snake plant."]);
  await expect.poll(() => placeOf(page)).toEqual({ x: 940, y: 680, width: 320, height: 88 });
  await page.evaluate("Frontdesk('shutdown')");
  await expect.poll(() => placeOf(page)).toBeUndefined();
  expect(await nameOfButton(page)).toBeUndefined();
});

test.runIf(deep)(
  "while the parts that load on demand cannot be loaded the rest works, and they come by themselves later",
  async () => {
    const shop = await openShop();
    const { page } = await visit(await siteWith(shopPage(shop)));
    await page.route(/\/on-demand-/, (route) => route.abort());
    const frame = await hasAsked(page);
    await answer(shop, "The snake plant.");
    await expect.poll(() => nameOfButton(page)).toBe("Chat, 1 unread message");
    expect(await placeOf(page)).toBeUndefined();
    await openChat(page);
    await expect.poll(() => nameOfButton(page)).toBe("Chat");
    await frame.click(".smile");
    await write(frame, "Thanks!");
    await expect
      .poll(() => bubbles(frame))
      .toEqual(["Which plant likes a dark hallway?", "The snake plant.", "Thanks!"]);
    await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
    expect(await frame.locator(".emojis").count()).toBe(0);
    // The grid that was asked for opens once it is there.
    await page.unroute(/\/on-demand-/);
    await frame.waitForSelector(".emojis :focus");
  },
);
