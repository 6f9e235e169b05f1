import { deep } from "@frontdesk/testing/depth";
import { signedToken } from "@frontdesk/testing/signed-identity";
import {
  answer,
  bubbles,
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
import type { Frame, Page } from "playwright-core";
import { expect, test } from "vitest";

/** An identity secret for the owner's server. */
async function newSecret({ frontdesk, widgetId }: Shop): Promise<string> {
  return String((await frontdesk.command("widget", "identity", "--widget", widgetId)).identity_secret);
}

/** Signed by the owner's server; each differs by its time. */
const identityOf = (secret: string, sub: string, inSeconds = 3_600) =>
  signedToken(secret, { sub, name: sub, exp: Math.floor(Date.now() / 1_000) + inSeconds, jti: Math.random() });

/** A page of the owner's site that identifies its visitor, or does not. */
const pageFor = (shop: Shop, token?: string) =>
  siteOf(shop, token ? `Frontdesk("identify", ${JSON.stringify({ token })});` : "");

function siteOf(shop: Shop, script: string): Promise<string> {
  const early = `<script>window.Frontdesk ||= function () { (Frontdesk.q ||= []).push(arguments) }; ${script}</script>`;
  return siteWith(
    `<!doctype html><html lang="en"><head><title>Shop</title>${early}</head><body><h1>Shop</h1>${tag(shop)}</body></html>`,
  );
}

/** What the page says from now on, as after signing in or in another tab. */
const says = (page: Page, call: string) => page.evaluate(call);

test("a verified visitor has their history in a second browser, and live; no other visitor has", async () => {
  const shop = await openShop();
  const secret = await newSecret(shop);
  const { page: atHome, complaints } = await visit(await pageFor(shop, identityOf(secret, "vera")));
  const home = await openChat(atHome);
  await write(home, "Order 4711 is late");
  await expect.poll(() => home.locator(".waiting").count()).toBe(0);
  await answer(shop, "It is on its way");
  await expect.poll(() => bubbles(home)).toEqual(["Order 4711 is late", "It is on its way"]);

  const { page: atWork } = await visit(await pageFor(shop, identityOf(secret, "vera")));
  const work = await openChat(atWork);
  await expect.poll(() => bubbles(work)).toEqual(["Order 4711 is late", "It is on its way"]);
  await write(work, "Thank you");
  await expect.poll(() => bubbles(home)).toContain("Thank you");

  // Without an identity, with another person's, or with an unsigned one, it is another visitor.
  for (const token of [undefined, identityOf(secret, "hugo"), identityOf("not the secret", "vera")]) {
    const { page } = await visit(await pageFor(shop, token));
    const frame = await openChat(page);
    await write(frame, "Who am I?");
    await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
    expect(await bubbles(frame)).toEqual(["Who am I?"]);
  }
  expect(complaints).toEqual([]);
});

test("a visitor is asked for nothing that their identity or the page has said, and sends in one step", async () => {
  const shop = await openShop();
  const secret = await newSecret(shop);
  const settings = { ask_name: "required", ask_email: "required" } as const;
  await shop.api.updateWidget({ params: { widget: shop.widgetId }, body: { settings } });
  const token = signedToken(secret, {
    sub: "vera",
    name: "Vera",
    email: "vera@acme.test",
    exp: Math.floor(Date.now() / 1_000) + 600,
  });
  const says = {
    verified: `Frontdesk("identify", ${JSON.stringify({ token })})`,
    words: `Frontdesk("identify", { name: "Pete", email: "pete@acme.test" })`,
    name: `Frontdesk("identify", { name: "Nora" })`,
  };
  const fields = (frame: Frame) =>
    frame.locator("input:not([type=file])").evaluateAll((all) => all.map(({ id }) => id));
  // Before the chat is there, and afterwards.
  for (const isLate of [false, true]) {
    for (const [who, script] of Object.entries(says)) {
      if (!deep && isLate !== (who === "words")) continue;
      const { page } = await visit(await siteOf(shop, isLate ? "" : script));
      const frame = await openChat(page);
      if (isLate) await page.evaluate(script);
      const asked = who === "name" ? ["email"] : [];
      await expect.poll(() => fields(frame), { message: `${who} ${isLate}` }).toEqual(asked);
      if (who === "name") await frame.fill("#email", "nora@acme.test");
      await write(frame, `From ${who}`);
      await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
      expect(await bubbles(frame)).toContain(`From ${who}`);
    }
  }
  const people = (await shop.api.listContacts()).data.map(({ attributes: { name, email } }) => `${name} ${email}`);
  const twice = deep ? ["Nora nora@acme.test", "Pete pete@acme.test"] : [];
  expect(people.toSorted()).toEqual(
    ["Nora nora@acme.test", "Pete pete@acme.test", "Vera vera@acme.test", ...twice].toSorted(),
  );
});

test("a page without an identity shows nothing of the visitor verified before in the same browser, and starts anew", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  const secret = await newSecret(shop);
  let token: string | undefined = identityOf(secret, "vera");
  // One site, whose pages identify the signed-in person.
  const { page } = await visit("about:blank");
  const site = await siteOf(shop, "window.token && Frontdesk('identify', { token })");
  await page.addInitScript("window.token = window.name || undefined");
  const goTo = async (vouched: string | undefined) => {
    await page.evaluate(`window.name = ${JSON.stringify(vouched ?? "")}`);
    await page.goto(site);
    return openChat(page);
  };

  const signedIn = await goTo(token);
  await write(signedIn, "My order 4711");
  await expect.poll(() => signedIn.locator(".waiting").count()).toBe(0);
  // A proxy delays one message.
  let blocked = true;
  await page.route(/\/messages$/, (route) =>
    blocked && route.request().postData()?.includes("4712") ? route.abort() : route.continue(),
  );
  await write(signedIn, "and 4712");

  const signedOut = await goTo(undefined);
  await signedOut.locator("#email").waitFor();
  expect(await bubbles(signedOut)).toEqual([]);
  await write(signedOut, "A stranger asks");
  await expect.poll(() => signedOut.locator(".waiting").count()).toBe(0);
  expect(await bubbles(signedOut)).toEqual(["A stranger asks"]);

  blocked = false;
  token = identityOf(secret, "vera");
  const back = await goTo(token);
  await expect.poll(() => bubbles(back)).toEqual(["My order 4711", "and 4712"]);
  await expect.poll(() => back.locator(".waiting").count()).toBe(0);
  // Another person who signs in here takes over what was written before signing in, and nothing of Vera's.
  const other = await goTo(identityOf(secret, "hugo"));
  await expect.poll(() => bubbles(other)).toEqual(["A stranger asks"]);
});

test("a visitor who has written unverified goes on in the same conversation once the page vouches for them", async () => {
  const shop = await openShop();
  const secret = await newSecret(shop);
  const { page } = await visit(await pageFor(shop));
  const frame = await openChat(page);
  await write(frame, "Do you ship to Portugal?");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  await says(page, `Frontdesk("identify", { token: "${identityOf(secret, "vera")}" })`);
  await expect.poll(async () => (await shop.api.listContacts()).data[0]?.attributes.name).toBe("vera");
  await expect.poll(() => bubbles(frame)).toEqual(["Do you ship to Portugal?"]);
  await write(frame, "And to Madeira?");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect((await shop.api.listContacts()).data).toHaveLength(1);

  // The same page signs in another person.
  await says(page, `Frontdesk("identify", { token: "${identityOf(secret, "hugo")}" })`);
  await expect.poll(() => bubbles(frame)).toEqual([]);
});

test("a verified session may expire; the page gets an event, and goes on with a new identity", async () => {
  const shop = await openShop();
  const secret = await newSecret(shop);
  const { page } = await visit(await pageFor(shop, identityOf(secret, "vera")));
  await says(page, "window.told = 0; Frontdesk('on', 'identityExpired', () => { told += 1 })");
  const frame = await openChat(page);
  await write(frame, "My order 4711");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  // A new secret replaces it, and invalidates identities signed with the old one.
  const next = await newSecret(shop);
  await expect.poll(() => page.evaluate("told")).toBe(1);
  await expect.poll(() => bubbles(frame)).toEqual([]);
  await says(page, `Frontdesk("identify", { token: "${identityOf(next, "vera")}" })`);
  await expect.poll(() => bubbles(frame)).toEqual(["My order 4711"]);
  await answer(shop, "It is on its way");
  await expect.poll(() => bubbles(frame)).toHaveLength(2);

  // An identity that had expired before it came is reported as well, and the visitor can still write.
  const { page: late, complaints } = await visit(await pageFor(shop, identityOf(next, "hugo", -3_600)));
  await says(late, "window.told = 0; Frontdesk('on', 'identityExpired', () => { told += 1 })");
  const stranger = await openChat(late);
  await expect.poll(() => late.evaluate("told")).toBe(1);
  await write(stranger, "Hello?");
  await expect.poll(() => stranger.locator(".waiting").count()).toBe(0);
  expect(complaints.join()).toContain("422");
});

test("shutdown forgets the verified visitor", async () => {
  const shop = await openShop();
  const secret = await newSecret(shop);
  const { page } = await visit(await pageFor(shop, identityOf(secret, "vera")));
  const frame = await openChat(page);
  await write(frame, "My order 4711");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  expect(await frame.evaluate("localStorage.length")).toBeGreaterThan(0);
  await says(page, "Frontdesk('shutdown')");
  await expect.poll(() => frame.evaluate("localStorage.length")).toBe(0);
});

test("what the page knows reaches the team, once; what it may not set is reported to the page's developer", async () => {
  const shop = await openShop("sqlite", WITH_MAIL);
  await shop.frontdesk.command("widget", "update", shop.widgetId, "--page-fields", "plan");
  const knows = `Frontdesk("identify", { name: "Vera", email: "vera@acme.test" });
    Frontdesk("set", { data: { plan: "pro", seats: 12, admin: true } });`;
  const { page, requests, complaints } = await visit(await siteOf(shop, knows));
  const warnings: string[] = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  const introductions = () => requests.filter((url) => url.endsWith("/introduce")).length;
  const frame = await openChat(page);
  // A known identity is not sent again.
  await expect.poll(() => frame.locator("#email").count()).toBe(0);
  await write(frame, "Hello");
  const contact = async () => (await shop.api.listContacts()).data[0];
  await expect.poll(async () => (await contact())?.attributes.email).toBe("vera@acme.test");
  const kept = async () => {
    const id = String((await contact())?.id);
    const { data } = await shop.api.listContactCustomData({ params: { id } });
    return data.map(({ attributes }) => [attributes.name, attributes.value]);
  };
  expect(await kept()).toEqual([["plan", "pro"]]);

  // The next page of the site says the same, and the one after it nothing new.
  await page.reload();
  await expect.poll(introductions).toBe(1);
  await expect.poll(() => warnings.join()).toContain("page_fields: seats,admin");
  await page.reload();
  await openChat(page);
  await expect.poll(() => bubbles(page.frames().at(-1) as never)).toEqual(["Hello"]);
  expect(introductions()).toBe(1);
  expect(warnings).toHaveLength(1);

  // Changes after the first message reach the team as well.
  await says(page, "Frontdesk('set', { data: { plan: 'free' } }); Frontdesk('identify', { name: 'Vera Vidal' })");
  await expect.poll(kept).toEqual([["plan", "free"]]);
  await expect.poll(async () => (await contact())?.attributes.name).toBe("Vera Vidal");
  expect(complaints).toEqual([]);
});

test("nothing that the page says wrongly keeps a visitor from writing", async () => {
  const shop = await openShop();
  const wrong = `Frontdesk("identify", { token: "no.token.at.all", phone: "call me", email: "vera@acme.test" });`;
  const { page } = await visit(await siteOf(shop, wrong));
  const warnings: string[] = [];
  page.on("console", (message) => message.type() === "warning" && warnings.push(message.text()));
  const frame = await openChat(page);
  await write(frame, "Hello");
  await expect.poll(() => frame.locator(".waiting").count()).toBe(0);
  await conversationId(shop);
  // The author of the page reads which field is wrong, and what is expected.
  expect(warnings.join()).toContain('{"phone":["Must be 7 to 15 digits');
  expect(await bubbles(await chatFrame(page))).toEqual(["Hello"]);
});
