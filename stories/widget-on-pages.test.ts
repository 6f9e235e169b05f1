import {
  answer,
  bubbles,
  chatButton,
  chatFrame,
  conversationId,
  openChat,
  openShop,
  type Shop,
  siteWith,
  tag,
  visit,
  WITH_MAIL,
  write,
} from "@frontdesk/testing/visitor-browser";
import { expect, test } from "vitest";

const page = (shop: Shop, { head = "", body = "" } = {}) =>
  `<!doctype html><html lang="en"><head><title>Shop</title>${head}</head><body><main><h1>Shop</h1>${body}</main>${tag(shop)}</body></html>`;

test("before the visitor shows interest there is one request, no frame, no socket, no cookie and no storage", async () => {
  const shop = await openShop();
  const { page: shown, requests, complaints } = await visit(await siteWith(page(shop)));
  await expect.poll(async () => (await chatButton(shown))?.expanded).toBe(false);
  await shown.waitForLoadState("networkidle");
  expect(requests).toEqual([`${shop.frontdesk.origin}/widget.js?widget=${shop.widgetId}`]);
  expect(shown.frames()).toHaveLength(1);
  expect(await shown.context().cookies()).toEqual([]);
  expect(await shown.evaluate("localStorage.length + sessionStorage.length")).toBe(0);

  // On first interest: only the document and its script, until something is written.
  await shown.mouse.move(1280 - 48, 860 - 48);
  await chatFrame(shown);
  await shown.waitForLoadState("networkidle");
  const [, document, script, ...others] = requests;
  expect(document).toContain(`/frame/${shop.widgetId}`);
  expect(script).toMatch(/\/widget-assets\/app-[0-9a-f]{12}\.js$/);
  expect(others).toEqual([]);
  expect(await shown.context().cookies()).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a page with the strictest security policy has to name one origin, for scripts and for frames", async () => {
  const shop = await openShop();
  const { origin } = shop.frontdesk;
  const policy = `default-src 'self'; script-src ${origin}; frame-src ${origin}; require-trusted-types-for 'script'`;
  const site = await siteWith(page(shop), { "Content-Security-Policy": policy });
  const { page: shown, complaints } = await visit(site);
  const frame = await openChat(shown);
  await write(frame, "Hello from a strict page");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect(await bubbles(frame)).toEqual(["Hello from a strict page"]);
  expect(complaints).toEqual([]);
});

test("the button has its owner's color and side once it is seen, whatever tag was pasted, and keeps them", async () => {
  const shop = await openShop();
  const settings = { color: "#0f766e", position: "start" } as const;
  await shop.api.updateWidget({ params: { widget: shop.widgetId }, body: { settings } });
  const tags = [
    tag(shop),
    `<script async src="${shop.frontdesk.origin}/widget.js" data-widget="${shop.widgetId}"></script>`,
    tag(shop).replace("async", 'async data-color="#c0262d" data-ink="#000000" data-position="end"'),
  ];
  const policy = `default-src 'self'; script-src ${shop.frontdesk.origin}; frame-src ${shop.frontdesk.origin}; require-trusted-types-for 'script'`;
  for (const each of tags) {
    const html = page(shop).replace(tag(shop), each);
    const { page: shown, complaints } = await visit(await siteWith(html, { "Content-Security-Policy": policy }));
    const colorAt = (x: number) =>
      shown.evaluate(
        `{ const at = document.elementFromPoint(${x}, innerHeight - 48); at?.localName === "frontdesk-chat" ? getComputedStyle(at).getPropertyValue("--color") : "" }`,
      );
    await expect.poll(() => colorAt(48), { message: each }).toBe("#0f766e");
    await shown.mouse.click(48, 860 - 48);
    await chatFrame(shown);
    await expect.poll(() => colorAt(48)).toBe("#0f766e");
    expect(await colorAt(1280 - 48)).toBe("");
    expect(complaints).toEqual([]);
  }
});

test("a page whose styles undo everything does not change the widget", async () => {
  const shop = await openShop();
  const corner = { x: 1280 - 420, y: 60, width: 420, height: 800 };
  const hostile =
    "<style>*{all:unset!important} iframe,dialog,button,div{display:none!important;opacity:0!important}</style>";
  const shoot = async (head: string) => {
    // Nothing of the page itself is visible.
    const plain = page(shop, { head }).replace("<h1>Shop</h1>", "");
    const { page: shown } = await visit(await siteWith(plain), { reducedMotion: "reduce" });
    const frame = await openChat(shown);
    await expect.poll(() => frame.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
    await shown.mouse.move(10, 10);
    return async () => {
      // The blinking caret is not a difference.
      await frame.evaluate("document.activeElement.blur()");
      return (await shown.screenshot({ clip: corner })).toString("base64");
    };
  };
  const [alone, onHostile] = [await shoot(""), await shoot(hostile)];
  // What has been asked for may still be on its way to the screen.
  await expect.poll(async () => (await alone()) === (await onHostile())).toBe(true);
});

test("an open chat stays open on the next page of its tab, without taking the focus, and a closed one closed", async () => {
  const shop = await openShop();
  const site = await siteWith(page(shop, { body: '<input id="search" autofocus>' }));
  const { page: shown, complaints } = await visit(site);
  const isOpen = async (of = shown) => (await chatButton(of))?.expanded;
  await write(await openChat(shown), "Do you ship to Portugal?");
  // Stored: otherwise the next page asks for a visitor whom the service does not know yet.
  await conversationId(shop);
  await shown.goto(`${site}?next`);
  await expect.poll(() => isOpen()).toBe(true);
  const frame = await chatFrame(shown);
  await expect.poll(() => bubbles(frame)).toEqual(["Do you ship to Portugal?"]);
  expect(await shown.evaluate("document.activeElement.id")).toBe("search");
  await answer(shop, "We do.");
  await expect.poll(() => bubbles(frame)).toContain("We do.");
  // Another tab of the same browser is another visit.
  const other = await shown.context().newPage();
  await other.goto(site);
  await expect.poll(() => isOpen(other)).toBe(false);

  await shown.evaluate("Frontdesk('close')");
  await shown.goto(site);
  await expect.poll(() => isOpen()).toBe(false);
  // On a phone an open chat would cover the page that was asked for.
  await openChat(shown);
  await shown.setViewportSize({ width: 360, height: 740 });
  await shown.reload();
  await expect.poll(() => isOpen()).toBe(false);
  expect(complaints).toEqual([]);
});

test("on a page from right to left the widget is on the other side and in the page's language", async () => {
  const shop = await openShop();
  const site = await siteWith(page(shop).replace('<html lang="en">', '<html lang="ar" dir="rtl">'));
  const { page: shown } = await visit(site);
  const frame = await openChat(shown);
  await expect.poll(() => frame.evaluate("document.documentElement.lang + document.documentElement.dir")).toBe("arrtl");
  await expect.poll(() => frame.locator("h2").textContent()).toContain("مرحبًا");
  const box = await (await frame.frameElement()).boundingBox();
  expect(box?.x).toBeLessThan(40);
});

test("the page may call the widget before it has loaded, and gets its events", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  const early = `<script>
    window.heard = [];
    window.Frontdesk ||= function () { (Frontdesk.q ||= []).push(arguments) };
    Frontdesk("identify", { name: "Vera", email: "vera@acme.test" });
    for (const name of ["ready", "open", "message", "close"]) Frontdesk("on", name, (detail) => heard.push([name, detail]));
    Frontdesk("open");
  </script>`;
  const { page: shown, complaints } = await visit(await siteWith(page(shop, { head: early })));
  const frame = await chatFrame(shown);
  // No agent is online, so the e-mail is asked for until the page has provided it.
  await expect.poll(() => frame.locator("#email").count()).toBe(0);
  await shown.evaluate("history.pushState({}, '', '/checkout')");
  await shown.evaluate("Frontdesk('send', 'Is this in stock?')");
  await expect.poll(async () => (await shop.api.listContacts()).data[0]?.attributes.email).toBe("vera@acme.test");
  expect((await shop.api.listContacts()).data[0]?.attributes.name).toBe("Vera");
  const conversation = String((await shop.api.listConversations()).data[0]?.id);
  await shop.api.createMessage({
    body: { conversation_id: conversation, content: "It is!", agent_id: shop.agentId },
  });
  await expect.poll(() => shown.evaluate("heard")).toContainEqual(["message", { from: "agent" }]);
  await shown.evaluate("Frontdesk('close')");
  await expect.poll(() => shown.evaluate("heard.map(([name]) => name)")).toEqual(["open", "ready", "message", "close"]);
  expect(complaints).toEqual([]);
});

test("the chat trusts only the window that holds it, and the page only the chat", async () => {
  const shop = await openShop();
  // The page learns the chat's window from its messages, and passes it to an unrelated frame.
  const listening = "<script>addEventListener('message', ({ source }) => { window.chat ??= source })</script>";
  const body = '<iframe id="other" srcdoc="<p>x</p>"></iframe>';
  const { page: shown } = await visit(await siteWith(page(shop, { head: listening, body })));
  const frame = await openChat(shown);
  await expect.poll(() => shown.evaluate("window.chat !== undefined")).toBe(true);
  await write(frame, "mine");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  const fromOther = (script: string) => shown.evaluate(`other.contentWindow.eval(${JSON.stringify(script)})`);
  await fromOther("parent.chat.postMessage({ frontdesk: { type: 'send', text: 'forged' } }, '*')");
  await fromOther("parent.postMessage({ frontdesk: { type: 'close' } }, '*')");
  // The premise: the same message from the page itself is accepted.
  await shown.evaluate("chat.postMessage({ frontdesk: { type: 'send', text: 'from the page' } }, '*')");
  await expect.poll(() => bubbles(frame)).toEqual(["mine", "from the page"]);
  expect((await chatButton(shown))?.expanded).toBe(true);
});
