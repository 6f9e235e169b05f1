import {
  adaIsOnline,
  answer,
  bubbles,
  chatFrame,
  conversationId,
  loadedOnDemand,
  openChat,
  openShop,
  resolve,
  visit,
  WITH_MAIL,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Frame } from "playwright-core";
import { expect, test } from "vitest";

const DAY_MS = 86_400_000;

const presence = (frame: Frame) => frame.locator(".presence").textContent();
const lines = async (frame: Frame) => (await frame.locator(".line, legend").allTextContents()).slice(1);

test("once a conversation is resolved the visitor is asked what they thought of it, may say why, and may change it", async () => {
  const shop = await openShop();
  const ada = await adaIsOnline(shop);
  const { page, complaints } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "Thanks, all done");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect(await frame.getByRole("radio").count()).toBe(0);
  await resolve(shop);
  await frame.getByRole("group", { name: "How did we do?" }).waitFor();
  expect(await frame.getByRole("radio").count()).toBe(5);
  // A rating is sent with its button, not with every arrow key.
  await frame.getByTitle("Okay").click();
  await frame.getByTitle("Very good").click();
  await frame.getByLabel("Anything to add?").fill("The fern is lovely");
  await frame.locator(".card").getByRole("button", { name: "Send" }).click();
  await expect.poll(() => ada.rating()).toMatchObject({ score: 5, comment: "The fern is lovely" });
  await expect
    .poll(() => lines(frame))
    .toEqual(["This conversation is closed. Write again to reopen it.", "Thank you!"]);

  // The rating is there after a reload, and may be changed.
  await page.reload();
  const again = await openChat(page);
  await expect.poll(() => again.getByRole("radio", { name: "Very good" }).isChecked()).toBe(true);
  await again.getByTitle("Bad", { exact: true }).click();
  await again.locator(".card").getByRole("button", { name: "Send" }).click();
  await expect.poll(() => ada.rating()).toMatchObject({ score: 2 });
  expect(complaints).toEqual([]);

  await write(again, "One more thing");
  await expect.poll(() => again.getByRole("radio").count()).toBe(0);
});

test("where the owner has switched ratings off, no visitor is asked for one", async () => {
  const shop = await openShop();
  await shop.frontdesk.command("widget", "update", shop.widgetId, "--ask-rating", "off");
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "Thanks, all done");
  await resolve(shop);
  await frame.getByText("This conversation is closed.").waitFor();
  expect(await frame.getByRole("radio").count()).toBe(0);
});

test("outside its hours the team says when it is back, in the visitor's own time and language, and the open chat knows when that is over", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  // Ada is online, but outside of the hours that does not count.
  await adaIsOnline(shop);
  const opening = new Date(Date.now() + 3 * DAY_MS);
  opening.setUTCHours(9, 0, 0, 0);
  const weekday = opening.toLocaleDateString("en", { weekday: "short", timeZone: "UTC" }).toLowerCase();
  const hours = ["--hours", `${weekday} 09:00-17:00`, "--timezone", "UTC"];
  await shop.frontdesk.command("widget", "update", shop.widgetId, ...hours);

  const demo = `${shop.frontdesk.origin}/demo/${shop.widgetId}`;
  const { page } = await visit("about:blank", { timezoneId: "Asia/Tokyo" });
  await page.clock.install();
  await page.goto(demo);
  const frame = await openChat(page);
  const inTokyo = (options: Intl.DateTimeFormatOptions) =>
    opening.toLocaleString("en", { ...options, timeZone: "Asia/Tokyo" });
  const back = `Back on ${inTokyo({ weekday: "long" })} at ${inTokyo({ timeStyle: "short" })}`;
  await expect.poll(() => presence(frame)).toBe(back);
  expect(await frame.locator("#email").count()).toBe(1);

  await page.clock.fastForward(opening.getTime() - Date.now() + 60_000);
  await expect.poll(() => presence(frame)).not.toBe(back);

  const { page: german } = await visit(demo, { locale: "de-DE", timezoneId: "Asia/Tokyo" });
  await german.evaluate("Frontdesk('set', { language: 'de' })");
  const deutsch = await openChat(german);
  const tag = opening.toLocaleDateString("de", { weekday: "long", timeZone: "Asia/Tokyo" });
  await expect.poll(() => presence(deutsch)).toBe(`Wir sind am ${tag} um 18:00 wieder da`);
});

test("when everybody has left the visitor may leave an e-mail, once; or pass it over", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  const ada = await adaIsOnline(shop);
  const demo = `${shop.frontdesk.origin}/demo/${shop.widgetId}`;
  const { page } = await visit(demo);
  const { page: hugosPage } = await visit(demo);
  const frame = await openChat(page);
  const hugo = await openChat(hugosPage);
  for (const each of [frame, hugo]) {
    await write(each, "Hello?");
    await expect.poll(() => each.locator(".waiting").count()).toBe(0);
    expect(await each.locator("#email").count()).toBe(0);
  }
  ada.leaves();
  await frame.getByLabel("Leave your email").fill("vera");
  await frame.press("#email", "Enter");
  await expect.poll(() => frame.locator("#email-problem").textContent()).toBe("Enter a valid email address.");
  // The browser accepts this address, but the service does not.
  await frame.fill("#email", "vera@@acme..test");
  await frame.press("#email", "Enter");
  await expect.poll(() => frame.locator("#email-problem").textContent()).toBe("Enter a valid email address.");
  await frame.fill("#email", "vera@acme.test");
  await frame.press("#email", "Enter");
  await expect.poll(() => frame.locator("#email").count()).toBe(0);
  await expect.poll(() => frame.getByText("Thank you!").count()).toBeGreaterThan(0);
  const emails = async () => (await shop.api.listContacts()).data.map(({ attributes }) => attributes.email);
  expect(await emails()).toContain("vera@acme.test");
  const question = await bubbles(frame);
  await page.reload();
  const again = await openChat(page);
  await expect.poll(() => bubbles(again)).toEqual(question);
  expect(await again.locator("#email").count()).toBe(0);

  await hugo.getByRole("button", { name: "Not now" }).click();
  await expect.poll(() => hugo.locator("#email").count()).toBe(0);
  await hugosPage.reload();
  const later = await openChat(hugosPage);
  await expect.poll(() => bubbles(later)).toEqual(["Hello?"]);
  expect(await later.locator("#email").count()).toBe(0);
});

test("a visitor who leaves out the e-mail of the form is not asked for it again", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await expect.poll(() => frame.locator("#email").count()).toBe(1);
  await write(frame, "Do you deliver on Fridays?");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect(await frame.locator("#email").count()).toBe(0);
});

test("without a mail server a visitor is asked for no address, neither before their message nor after it", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await loadedOnDemand(frame);
  await expect.poll(() => frame.locator(".greeting p").textContent()).toBe("Leave a message, and we’ll reply here.");
  expect(await frame.locator("#email").count()).toBe(0);
  await write(frame, "Hello?");
  await expect.poll(() => bubbles(frame)).toEqual(["Hello?"]);
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect(await frame.locator("#email").count()).toBe(0);
});

test("the visitor sees that their last message was read by the team", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  const meta = () => frame.locator(".meta").allTextContents();
  await write(frame, "Hello?");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect((await meta()).join()).not.toContain("Seen");
  await shop.api.readConversation({ params: { conversation_id: await conversationId(shop) }, body: {} });
  await expect.poll(meta).toEqual([expect.stringMatching(/ · Seen$/)]);

  // The mark moves to the next message once that is read: an agent who answers has read it.
  await write(frame, "Anybody?");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect((await meta()).join()).not.toContain("Seen");
  await answer(shop, "Yes!");
  await expect.poll(async () => (await meta()).map((each) => each.includes("Seen"))).toEqual([true, false]);
  await page.reload();
  await expect
    .poll(async () => (await (await chatFrame(page)).locator(".meta").allTextContents()).join())
    .toContain("Seen");
});

test("a field with the focus looks different from one with an error, also where the brand is red", async () => {
  const shop = await openShop();
  // The color of errors.
  const settings = { color: "#c0262d", ask_email: "required" } as const;
  await shop.api.updateWidget({ params: { widget: shop.widgetId }, body: { settings } });
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`, { colorScheme: "light" });
  const frame = await openChat(page);
  const borderOf = (id: string) =>
    frame.evaluate<string>(`getComputedStyle(document.getElementById("${id}")).borderColor`);
  await frame.locator("#email").focus();
  const focused = await borderOf("email");
  await write(frame, "Hello");
  await frame.getByText("This field is required.").waitFor();
  await frame.waitForSelector("#email:focus");
  expect(await borderOf("email")).toBe("rgb(192, 38, 45)");
  expect(focused).not.toBe("rgb(192, 38, 45)");
});

test("the length of a long message is shown before it is too long", async () => {
  const shop = await openShop();
  const { page } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await frame.fill("textarea", "x".repeat(8_000));
  expect(await frame.locator(".below .meta").allTextContents()).toEqual([]);
  await frame.fill("textarea", "x".repeat(9_512));
  await expect.poll(() => frame.locator(".below .meta").allTextContents()).toEqual(["9512/10000"]);
  await frame.fill("textarea", "x".repeat(10_120));
  await expect.poll(() => frame.locator(".below .meta").allTextContents()).toEqual(["10120/10000"]);
  expect(await frame.locator("#message-problem").textContent()).toBe("This message is too long.");
  expect(await frame.getByLabel("Send").isDisabled()).toBe(true);
});
