import { enginesOf } from "@frontdesk/testing/installation";
import {
  adaIsOnline,
  answer,
  bubbles,
  chatButton,
  chatFrame,
  conversationId,
  openChat,
  openShop,
  resolve,
  visit,
  WITH_MAIL,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";

test.each(enginesOf("sqlite"))(
  "a visitor writes on the demo page, an agent answers, the answer is there at once, and a reload keeps all of it (%s)",
  async (engine) => {
    const shop = await openShop(engine);
    const { page, complaints } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
    await expect.poll(() => page.locator("pre").textContent()).toContain(`data-widget="${shop.widgetId}"`);

    const frame = await openChat(page);
    await write(frame, "Which plant likes a dark hallway?");
    await answer(shop, "The snake plant. See https://acme.test/snake");
    await expect
      .poll(() => bubbles(frame))
      .toEqual(["Which plant likes a dark hallway?", "The snake plant. See https://acme.test/snake"]);
    // Everything is visible: there is no button to scroll down.
    expect(await frame.locator(".newest").count()).toBe(0);
    expect(await frame.locator(".bubble a").getAttribute("href")).toBe("https://acme.test/snake");
    // Announced once, and only the new message.
    expect(await frame.locator("[aria-live=polite]").textContent()).toBe(
      "Ada: The snake plant. See https://acme.test/snake",
    );

    await page.reload();
    const again = await chatFrame(page);
    await expect.poll(() => bubbles(again)).toHaveLength(2);
    expect(await again.locator("[aria-live=polite]").textContent()).toBe("");
    expect(complaints).toEqual([]);
  },
);

test("an answer that comes while the chat is closed is counted on the button, and seen once it is open", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "Hello?");
  await expect.poll(() => bubbles(frame)).toEqual(["Hello?"]);
  await page.evaluate("Frontdesk('close')");
  await answer(shop, "Hello Vera!");
  await answer(shop, "How can I help?");
  await expect.poll(async () => (await chatButton(page))?.name).toBe("Chat, 2 unread messages");

  // The next page of the site connects by itself, because there is a conversation.
  await page.reload();
  await expect.poll(async () => (await chatButton(page))?.name).toBe("Chat, 2 unread messages");
  await page.evaluate("Frontdesk('open')");
  await expect.poll(async () => (await chatButton(page))?.name).toBe("Chat");
});

test("what is written without a network waits, says so, survives a reload, and is delivered once", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "First");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);

  await page.context().setOffline(true);
  const texts = ["one", "two", "three", "four", "five"];
  for (const text of texts) await write(frame, text);
  await expect.poll(() => frame.locator(".waiting").count()).toBe(5);
  expect(await frame.locator(".meta").last().textContent()).toBe("Sends once the connection is back");
  expect(await frame.locator("[role=status]").textContent()).toContain("No connection");

  // The page is reloaded from the network, the visitor's chat from the browser.
  await page.context().setOffline(false);
  await page.reload();
  const again = await chatFrame(page);
  await expect.poll(() => bubbles(again)).toEqual(["First", ...texts]);
  await expect.poll(() => again.locator(".waiting").count()).toBe(0);
  const sent = await shop.api.listMessages({ params: { conversation_id: await conversationId(shop) } });
  expect(sent.data.map(({ attributes }) => attributes.content).sort()).toEqual(["First", ...texts].sort());
});

test("a team that is away asks for an e-mail, and a wrong one is reported at its field with nothing lost", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await frame.getByLabel("Email").fill("vera");
  await write(frame, "Do you deliver on Fridays?");
  await expect.poll(() => frame.locator("#email-problem").textContent()).toBe("Enter a valid email address.");
  expect(await frame.getByLabel("Email").getAttribute("aria-invalid")).toBe("true");

  // The browser accepts this address, but the service does not.
  await frame.getByLabel("Email").fill("vera@@acme..test");
  await frame.press("textarea", "Enter");
  await expect.poll(() => bubbles(frame)).toEqual(["Do you deliver on Fridays?"]);
  await expect.poll(() => frame.locator("#email-problem").textContent()).toBe("Enter a valid email address.");

  await frame.getByLabel("Email").fill("vera@acme.test");
  await frame.press("#email", "Enter");
  await expect.poll(async () => (await shop.api.listContacts()).data[0]?.attributes.email).toBe("vera@acme.test");
  await expect.poll(() => frame.locator("#email").count()).toBe(0);
  expect(await bubbles(frame)).toEqual(["Do you deliver on Fridays?"]);
});

test("an answer is seen to its end, also beside a text of several lines that the visitor has begun", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "Which plant likes a dark hallway?");
  await conversationId(shop);
  await frame.fill("textarea", "And which one\nlikes\nthe sun?");
  await answer(shop, `${"The snake plant.\n".repeat(30)}That's all.`);
  await frame.locator(".bubble").getByText("That's all.").waitFor();
  const beyond = `(({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight)(document.querySelector(".log"))`;
  await expect.poll(() => frame.evaluate(beyond)).toBeLessThan(1);
});

test("older messages load on request, and the scroll position stays", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "Hello?");
  const conversation = { conversation_id: await conversationId(shop), agent_id: shop.agentId };
  for (let count = 1; count <= 70; count += 1) {
    await shop.api.createMessage({ body: { ...conversation, content: `Answer ${count}` } });
  }
  await page.reload();
  const again = await chatFrame(page);
  await page.evaluate("Frontdesk('open')");
  await expect.poll(() => again.locator(".bubble").count()).toBe(50);
  await expect.poll(() => again.evaluate("document.activeElement.tagName")).toBe("TEXTAREA");
  await again.locator(".older").focus();
  // Visible now, and at the same position after older messages have loaded above it.
  const placeOfFirst = async () =>
    Number(
      await again.evaluate(
        "[...document.querySelectorAll('.bubble')].find((each) => each.textContent === 'Answer 21').getBoundingClientRect().y",
      ),
    );
  const before = await placeOfFirst();
  await page.keyboard.press("Enter");
  await expect.poll(() => again.locator(".bubble").count()).toBe(71);
  expect(Math.abs((await placeOfFirst()) - before)).toBeLessThanOrEqual(1);
  expect((await bubbles(again))[0]).toBe("Hello?");
  await expect.poll(() => again.locator(".older").count()).toBe(0);
});

test("a conversation that was resolved says so, and goes on when the visitor writes", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "Thanks, all done");
  await resolve(shop);
  const closed = frame.getByText("This conversation is closed. Write again to reopen it.");
  await expect.poll(() => closed.count()).toBe(1);
  await write(frame, "One more thing");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  await expect.poll(() => closed.count()).toBe(0);
});

test("signing out with shutdown forgets the visitor in this browser", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "My secret order is 4711");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect(await page.evaluate("localStorage.length")).toBeGreaterThan(0);
  await page.evaluate("Frontdesk('shutdown')");
  await expect.poll(() => page.evaluate("Object.keys(localStorage).filter((key) => localStorage[key]).length")).toBe(0);
  await page.reload();
  const fresh = await openChat(page);
  await write(fresh, "Somebody else asks");
  await expect.poll(() => fresh.locator(".waiting").count()).toBe(0);
  expect(await bubbles(fresh)).toEqual(["Somebody else asks"]);
});

test("who signs out on a page that is left at once is forgotten all the same", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "My secret order is 4711");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  await frame.fill("textarea", "And my address is");
  await signOutAndLeave(page);
  const fresh = await openChat(page);
  expect(await fresh.inputValue("textarea")).toBe("");

  // On a page too young to have a frame, the next visitor is a new one, and is not forgotten.
  await write(fresh, "The order of somebody else");
  await expect.poll(() => fresh.locator(".waiting").count()).toBe(0);
  expect(await bubbles(fresh)).toEqual(["The order of somebody else"]);
  await page.reload();
  await signOutAndLeave(page);
  const third = await openChat(page);
  await write(third, "A third one");
  await expect.poll(() => third.locator(".waiting").count()).toBe(0);
  expect(await bubbles(third)).toEqual(["A third one"]);
  await page.reload();
  const again = await openChat(page);
  await expect.poll(() => bubbles(again)).toEqual(["A third one"]);

  // It is also forgotten when the chat is never opened again.
  await signOutAndLeave(page);
  await expect.poll(() => page.evaluate("Object.keys(localStorage).filter((key) => localStorage[key]).length")).toBe(0);
});

test("a first message that never left, and what was being written, are forgotten where the page knows of no conversation", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  await page.route(/\/messages$/, (route) => route.abort());
  const frame = await openChat(page);
  await write(frame, "Never sent");
  await frame.fill("textarea", "Not sent yet");
  // The premises: both are stored, and the page's mark is gone: its site has cleared its own storage.
  await expect.poll(() => frame.evaluate("Object.values(localStorage).join()")).toContain("Never sent");
  await expect.poll(() => frame.evaluate("Object.values(sessionStorage).join()")).toContain("Not sent yet");
  const mark = JSON.stringify(`frontdesk:${shop.widgetId}`);
  await expect.poll(() => page.evaluate(`localStorage[${mark}]`)).toBe("1");
  await page.evaluate(`localStorage.removeItem(${mark})`);
  await page.reload();
  await signOutAndLeave(page);
  await page.unroute(/\/messages$/);
  const next = await openChat(page);
  expect(await next.inputValue("textarea")).toBe("");
  await write(next, "Somebody else asks");
  await expect.poll(() => next.locator(".waiting").count()).toBe(0);
  expect(await bubbles(next)).toEqual(["Somebody else asks"]);
});

test("a first message that was not answered before the page was left is sent by the next page, without opening the chat", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  await page.route(/\/messages$/, (route) => route.abort());
  const frame = await openChat(page);
  await write(frame, "Do you ship to Portugal?");
  await frame.waitForSelector(".waiting");
  await expect.poll(() => page.evaluate(`localStorage["frontdesk:${shop.widgetId}"]`)).toBe("1");
  await page.unroute(/\/messages$/);
  await page.reload();
  await expect.poll(async () => (await shop.api.listConversations()).data.length).toBe(1);
});

test("the widget shows who is there and who types, as it is set, in its colors and its words", async () => {
  const shop = await openShop();
  const greeting = [
    "--language",
    "en",
    "--greeting-title",
    "Ask the gardeners",
    "--greeting-text",
    "We know our soil.",
  ];
  const look = ["--color", "#facc15", "--ask-name", "required", "--theme", "light"];
  await shop.frontdesk.command("widget", "update", shop.widgetId, ...look, ...greeting);
  const ada = await adaIsOnline(shop);

  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await expect.poll(() => frame.locator(".presence").textContent()).toBe("We’re online");
  expect(await frame.locator("h2").textContent()).toBe("Ask the gardeners");
  expect(await frame.evaluate("getComputedStyle(document.querySelector('header')).backgroundColor")).toBe(
    "rgb(250, 204, 21)",
  );
  expect(await frame.evaluate("getComputedStyle(document.querySelector('h1')).color")).toBe("rgb(23, 24, 28)");
  expect(await frame.locator("#email").count()).toBe(0);

  await write(frame, "Hello!");
  await expect.poll(() => frame.locator("#name-problem").textContent()).toBe("This field is required.");
  await frame.getByLabel("Name").fill("Vera");
  await frame.press("textarea", "Enter");
  await expect.poll(async () => (await shop.api.listContacts()).data[0]?.attributes.name).toBe("Vera");

  // Typing is never replayed: she continues until the chat is connected.
  const typing = { type: "typing", conversation_id: await conversationId(shop), typing: true };
  await expect
    .poll(
      async () => {
        ada.says(typing);
        return (await frame.locator(".dots").allTextContents()).join();
      },
      // More than 30 frames in 10 seconds close the stream.
      { interval: 500 },
    )
    .toBe("Ada is typing…");
  await answer(shop, "Hello Vera!");
  await expect.poll(() => frame.locator(".dots").count()).toBe(0);
});

/** As sites do that redirect at once. */
async function signOutAndLeave(page: Page): Promise<void> {
  const leaving = page.waitForEvent("load");
  await page.evaluate("Frontdesk('shutdown'); location.reload()");
  await leaving;
}
