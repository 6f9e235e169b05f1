/** Conversations by email in the dashboard: who they are with, how far a mail has got, and emails that the team writes first. */
import { mailRoom } from "@frontdesk/server/email/out/mailbox-for-tests";
import { violations } from "@frontdesk/testing/accessibility";
import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import type { TestTeam } from "@frontdesk/testing/test-kit";
import { anotherTeam, bubbles, openChat, openShop, type Shop, visit, write } from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const server = await openShop("sqlite", { CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" }, afterAll);
const { app, storage } = server.frontdesk.running();
const { mailbox } = mailRoom({ app, storage });

/** A team with a mailbox, whose replies can't be undone unless the settings say so. */
async function scene(settings: object = {}) {
  const shop = await anotherTeam(server);
  const box = await mailbox(asTeam(shop), {}, { hold_seconds: 0, ...settings });
  return { shop, box, ask: asTeam(shop) };
}

/** The requests of a team that mailboxes are made with. */
function asTeam({ frontdesk, apiKey, teamId, widgetId }: Shop): TestTeam {
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${frontdesk.origin}/api/v1${path}`, {
      method,
      headers: { "X-API-KEY": apiKey, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: {}, body: await answer.json() };
  };
  return {
    ...{ teamId, widgetId },
    get: (path: string) => ask("GET", path),
    post: (path: string, body: unknown) => ask("POST", path, body),
    patch: (path: string, body: unknown) => ask("PATCH", path, body),
  } as TestTeam;
}

const rowOf = (page: Page, text: string) => page.locator("[role=listitem]").filter({ hasText: text });
const field = (page: Page) => page.locator("section textarea");
const messageOf = (page: Page, text: string) => page.locator("[data-index]").filter({ hasText: text });
const head = (page: Page) => page.getByRole("region", { name: "About this email conversation" });

async function opens(page: Page, text: string): Promise<void> {
  await rowOf(page, text).locator("a").click();
  await field(page).waitFor();
}

async function replies(page: Page, text: string): Promise<void> {
  await page.getByText(/^Reply to /).waitFor();
  await field(page).fill(text);
  await field(page).press("Enter");
  await messageOf(page, text).waitFor();
}

test("a line above a conversation leads to those of other contacts with the same address, also on a phone", async () => {
  const { shop, box, ask } = await scene();
  await ask.post("/conversations", { widget_id: shop.widgetId, content: "Hello by chat", email: "vera@vera.example" });
  const id = await box.arrives({ text: "Hello by mail" });
  const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
  const { page, complaints } = await signIn(shop, `/inbox/${id}`, phone);
  const hint = page.getByRole("region", { name: "Same email address" });
  await hint.getByRole("button", { name: "1 other conversation has the same email address" }).click();
  await expect.poll(() => hint.innerText()).toMatch(/may be someone else.*vera@vera\.example.*Website.*Hello by chat/s);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(360);
  expect(await violations(page, "the same address on a phone")).toEqual([]);
  await hint.getByRole("link", { name: "Hello by chat" }).click();
  await messageOf(page, "Hello by chat").waitFor();
  // There it leads back.
  await hint.getByRole("button").click();
  await hint.getByRole("link", { name: "Size 40?" }).click();
  await messageOf(page, "Hello by mail").waitFor();
  expect(complaints).toEqual([]);
});

test("what a mail quotes is folded below its text, and shown at a press", async () => {
  const { shop, box } = await scene();
  const id = await box.arrives({ text: "Are you open", more: ["Message-ID: <open@vera.example>"] });
  const more = ["In-Reply-To: <open@vera.example>", "References: <open@vera.example>"];
  await box.arrives({
    more,
    text: "I mean on Sunday",
    below: ["", "On 20 November 2026, Vera wrote:", "> Are you open"],
  });
  const { page, complaints } = await signIn(shop, `/inbox/${id}`);
  const message = messageOf(page, "I mean on Sunday");
  await message.getByRole("button", { name: "Show quoted text" }).click();
  await expect.poll(() => message.innerText()).toContain("> Are you open");
  expect(await violations(page, "quoted text")).toEqual([]);
  await message.getByRole("button", { name: "Hide quoted text" }).click();
  await expect.poll(() => message.innerText()).not.toContain("Vera wrote");
  expect(complaints).toEqual([]);
});

test("an agent sees who a mail is from and to, answers all of them, and follows how far the answer gets", async () => {
  const { shop, box } = await scene();
  const { page: website } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const heard: string[] = [];
  website.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => heard.push(String(payload))));
  const chat = await openChat(website);
  await write(chat, "Hello from the website");
  await expect.poll(() => bubbles(chat)).toContain("Hello from the website");

  const { page, complaints } = await signIn(shop);
  await rowOf(page, "Hello from the website").waitFor();
  await box.arrives({ cc: "Will <will@will.example>", text: "Do you have it in blue" });
  const row = rowOf(page, "Do you have it in blue");
  await row.getByRole("img", { name: "Email", exact: false }).waitFor();
  await expect.poll(() => row.innerText()).toContain("Size 40?");
  expect(await rowOf(page, "Hello from the website").getByRole("img", { name: "Email" }).count()).toBe(0);

  await opens(page, "Do you have it in blue");
  await expect.poll(() => head(page).innerText()).toContain("Size 40?");
  await expect.poll(() => head(page).innerText()).toContain(box.address);
  await head(page).getByRole("button", { name: "Cc Will" }).click();
  await head(page).getByText("Will <will@will.example>").waitFor();
  await page.getByText("Reply to Vera <vera@vera.example>, Cc Will <will@will.example>").waitFor();
  expect(await page.getByText("Pages", { exact: true }).count()).toBe(0);
  expect(await violations(page, "a conversation by email")).toEqual([]);

  // Sent, without a reload.
  await replies(page, "We do, both of you.");
  await messageOf(page, "both of you").getByRole("button", { name: "Sent", exact: true }).waitFor();
  expect(box.smtp.mails.map(({ to }) => to)).toEqual([["vera@vera.example", "will@will.example"]]);

  // One of them does not get it: the server's words, and once more to that one.
  box.smtp.plays({ rcpt: { "will@will.example": "550 5.1.1 No such user" } });
  await replies(page, "It costs 20 euros.");
  const wrong = messageOf(page, "20 euros");
  const state = wrong.getByRole("button", { name: "Not sent. “550 5.1.1 No such user”" });
  await state.waitFor();
  await page.locator("[aria-live=polite]").getByText("550 5.1.1 No such user").waitFor({ state: "attached" });
  await state.press("Enter");
  const recipients = wrong.getByRole("list", { name: "Recipients" }).getByRole("listitem");
  await expect
    .poll(() => recipients.allInnerTexts())
    .toEqual(["vera@vera.example Sent", "will@will.example Not sent: “550 5.1.1 No such user”"]);
  expect(await violations(page, "an email that was not sent")).toEqual([]);
  box.smtp.plays({});
  await wrong.getByRole("button", { name: "Send again" }).click();
  await wrong.getByRole("button", { name: "Sent", exact: true }).waitFor();
  expect(box.smtp.mails.at(-1)?.to).toEqual(["will@will.example"]);
  expect(await wrong.getByRole("button", { name: "Send again" }).count()).toBe(0);

  // Without an answer to the last dot it is on its way, and then perhaps there.
  box.smtp.plays({ dot: "silence" });
  await replies(page, "Shipping is free.");
  await messageOf(page, "Shipping").getByRole("button", { name: "Sending…" }).waitFor();
  await box.smtp.silent();
  await box.smtp.close();
  await messageOf(page, "Shipping").getByRole("button", { name: "May not have arrived" }).waitFor();

  // An answer of another recipient, with another subject.
  const messageId = /^Message-ID: (.+)\r$/im.exec(box.smtp.mails[0]?.raw ?? "")?.[1];
  const more = [`In-Reply-To: ${messageId}`, "Subject: Re: Blue, please"];
  await box.arrives({ from: "Will <will@will.example>", more, text: "I take two" });
  await expect.poll(() => messageOf(page, "I take two").innerText()).toContain("From Will <will@will.example>");
  expect(await messageOf(page, "I take two").innerText()).toContain("Subject: Blue, please");
  await page.getByText("Reply to Will <will@will.example>").waitFor();

  expect(heard.length).toBeGreaterThan(0);
  expect(heard.filter((frame) => /delivery|vera\.example|Size 40/.test(frame))).toEqual([]);
  expect(complaints).toEqual([]);
});

test("a reply can be undone for as long as the channel says, and is kept from being sent with the reason", async () => {
  const { shop, box, ask } = await scene({ hold_seconds: 30 });
  await box.arrives({ text: "Are you open" });
  const { page } = await signIn(shop);
  await opens(page, "Are you open");
  await replies(page, "Until six.");
  await page.getByText(/^Sending in \d+ seconds$/).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => field(page).inputValue()).toBe("Until six.");
  expect(box.smtp.mails).toEqual([]);

  expect((await ask.patch(`/channels/${box.id}`, { state: "paused" })).status).toBe(200);
  // The open composer hears of it.
  await page.getByText("This channel is paused. An admin can resume it.").waitFor();
  const send = page.getByRole("button", { name: "Send", exact: true });
  await expect.poll(() => send.isDisabled()).toBe(true);
  await page.reload();
  await page.getByText("This channel is paused. An admin can resume it.").waitFor();
  await expect.poll(() => field(page).inputValue()).toBe("Until six.");
  expect(await send.isDisabled()).toBe(true);
  await field(page).press("Enter");
  // A note is for the team alone.
  await page.getByRole("tab", { name: "Note" }).click();
  await field(page).fill("They ask every day.");
  await field(page).press("Enter");
  await page.getByRole("article", { name: "Note by Ada" }).waitFor();
  expect(await messageOf(page, "Until six.").count()).toBe(0);
  // And no one can start a conversation by it.
  await expect.poll(() => page.getByRole("button", { name: "New email" }).count()).toBe(0);

  expect((await ask.patch(`/channels/${box.id}`, { state: "active" })).status).toBe(200);
  await page.getByRole("button", { name: "New email" }).waitFor();
  await page.getByRole("tab", { name: "Reply" }).click();
  await page.getByText("Reply to Vera <vera@vera.example>").waitFor();
  await expect.poll(() => send.isDisabled()).toBe(false);
});

test("a reply that waits is a draft again when an email comes in: at once in an open tab, and in one that is opened later", async () => {
  const { shop, box } = await scene({ hold_seconds: 60 });
  const answers = { more: ["In-Reply-To: <open@vera.example>"] };
  await box.arrives({ text: "Are you open", more: ["Message-ID: <open@vera.example>"] });
  const { page, complaints } = await signIn(shop);
  const said = (at: Page) => at.getByText("A new email came in before this was sent. Read it, then send.");
  await opens(page, "Are you open");
  await replies(page, "Until six.");
  await page.getByText(/^Sending in \d+ seconds$/).waitFor();
  await box.arrives({ ...answers, text: "Or do you deliver" });
  await messageOf(page, "Or do you deliver").waitFor();
  await said(page).waitFor();
  expect(await field(page).inputValue()).toBe("Until six.");
  await expect.poll(() => page.getByRole("button", { name: "Undo" }).count()).toBe(0);
  expect(await violations(page, "a reply that an email has made a draft")).toEqual([]);

  // A reload keeps it, and going on with the draft ends it.
  await page.reload();
  await said(page).waitFor();
  await field(page).fill("Until six. And we deliver.");
  await said(page).waitFor({ state: "detached" });
  const stored = page.waitForResponse((answer) => answer.url().endsWith("/held-replies"));
  await page.getByText(/^Reply to /).waitFor();
  await field(page).press("Enter");
  await stored;
  await page.getByText(/^Sending in \d+ seconds$/).waitFor();
  // The service's answer about the first one.
  expect(complaints).toEqual([expect.stringContaining("409 (Conflict)")]);
  await page.context().close();

  await box.arrives({ ...answers, text: "Never mind" });
  const { page: later } = await signIn(shop);
  await opens(later, "Never mind");
  await said(later).waitFor();
  expect(await field(later).inputValue()).toBe("Until six. And we deliver.");
  expect(box.smtp.mails).toEqual([]);
});

test("an agent writes first: what is wrong is said at its field, and the conversation opens", async () => {
  const { shop, box } = await scene();
  const { page, complaints } = await signIn(shop);
  await page.getByRole("button", { name: "New email" }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel("To").fill(box.address);
  await dialog.getByLabel("Subject").fill("Your order");
  await dialog.getByLabel("Message").fill("It is on its way.");
  expect(await violations(page, "a new email")).toEqual([]);
  await dialog.getByRole("button", { name: "Send" }).click();
  await dialog.getByText("This is one of your team’s own addresses.").waitFor();
  await expect.poll(() => page.evaluate("document.activeElement?.name")).toBe("to");

  // What was written stays for later, and the palette leads back to it.
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("new email");
  await page.keyboard.press("Enter");
  await expect.poll(() => dialog.getByLabel("Message").inputValue()).toBe("It is on its way.");
  await dialog.getByLabel("To").fill("kim@kim.example");
  await dialog.getByLabel("Name (optional)").fill("Kim");
  await dialog.getByRole("button", { name: "Send" }).click();
  await messageOf(page, "It is on its way.").getByRole("button", { name: "Sent", exact: true }).waitFor();
  await expect.poll(() => head(page).innerText()).toContain("Your order");
  expect(box.smtp.mails).toHaveLength(1);
  expect(box.smtp.mails[0]).toMatchObject({ to: ["kim@kim.example"] });
  await rowOf(page, "Kim").waitFor();
  await page.getByText("Reply to Kim <kim@kim.example>").waitFor();
  // The draft is gone with it.
  await page.getByRole("button", { name: "New email" }).click();
  expect(await dialog.getByLabel("Message").inputValue()).toBe("");
  // The browser itself reports the refusal.
  expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
});

test("an agent forwards an email by its menu or by a key, takes it back, and follows it to its own conversation", async () => {
  const { shop, box } = await scene({ hold_seconds: 3 });
  const raw = [
    ...[
      "From: Vera <vera@vera.example>",
      `To: ${box.address}`,
      "Subject: Broken pump",
      "Message-ID: <pump@vera.example>",
    ],
    ...["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"', "", "--b", "Content-Type: text/plain", ""],
    ...["The pump is broken", "--b", 'Content-Type: text/plain; name="serial.txt"'],
    ...["Content-Disposition: attachment", "", "SN-12", "--b--", ""],
  ].join("\r\n");
  const { page, complaints } = await signIn(shop);
  await box.post(raw);
  await opens(page, "The pump is broken");
  await messageOf(page, "The pump is broken").hover();
  await messageOf(page, "The pump is broken").getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Forward email" }).click();
  const dialog = dialogOf(page);
  await dialog.getByLabel("To").fill("petra@supplier.example");
  await dialog.getByLabel("Message (optional)").fill("Can you help?");
  const passedOn = dialog.getByRole("region", { name: "Forwarded email" });
  await expect.poll(() => passedOn.innerText()).toContain("The pump is broken");
  expect(await dialog.getByRole("checkbox", { name: "serial.txt" }).isChecked()).toBe(true);
  expect(await violations(page, "an email that is forwarded")).toEqual([]);
  await dialog.getByRole("button", { name: "Forward", exact: true }).click();

  // Taken back, from another screen too, what was written is there again.
  await page.getByText("Forwarding to petra@supplier.example…").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect.poll(() => dialog.getByLabel("Message (optional)").inputValue()).toBe("Can you help?");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(box.smtp.mails).toEqual([]);

  await page.keyboard.press("f");
  await expect.poll(() => dialog.getByLabel("To").inputValue()).toBe("petra@supplier.example");
  await dialog.getByRole("button", { name: "Forward", exact: true }).click();
  await page.getByText("Forwarded to petra@supplier.example: ").waitFor();
  await expect.poll(() => box.smtp.mails.map(({ to }) => to)).toEqual([["petra@supplier.example"]]);
  expect(box.smtp.mails[0]?.raw).toContain("serial.txt");

  await page
    .getByText("Forwarded to petra@supplier.example: ")
    .getByRole("link", { name: "Open conversation" })
    .click();
  await messageOf(page, "Can you help?").getByRole("button", { name: "Sent", exact: true }).waitFor();
  await page.getByText("This email was forwarded from another conversation").waitFor();
  await page.getByText("Reply to petra@supplier.example").waitFor();
  await messageOf(page, "Can you help?").getByRole("button", { name: "Show formatted email" }).click();
  await page.frameLocator("iframe").getByText("From: Vera <vera@vera.example>").waitFor();

  // What Petra answers is there, and nothing of it where Vera wrote.
  const to = /^Reply-To: (.+)\r$/im.exec(box.smtp.mails[0]?.raw ?? "")?.[1] ?? "";
  await box.arrives({ from: "Petra <petra@supplier.example>", to, text: "We send a new one" });
  await messageOf(page, "We send a new one").waitFor();
  await opens(page, "The pump is broken");
  await page.getByText("Forwarded to petra@supplier.example: ").waitFor();
  expect(await messageOf(page, "We send a new one").count()).toBe(0);
  expect(complaints).toEqual([]);
});

test("an email beyond the daily limit says when it goes out, an admin raises the limit, and turns on the automatic reply", async () => {
  const { shop, box, ask } = await scene({ daily_limit: 1 });
  const first = await box.arrives({ text: "Are you open" });
  const { page, complaints } = await signIn(shop);
  await opens(page, "Are you open");
  await replies(page, "Until six.");
  await messageOf(page, "Until six.").getByRole("button", { name: "Sent", exact: true }).waitFor();
  await replies(page, "On Sundays until noon.");
  await messageOf(page, "On Sundays")
    .getByRole("button", { name: /^Goes out / })
    .waitFor();
  expect(box.smtp.mails).toHaveLength(1);

  await page.goto(`${shop.frontdesk.origin}/app/settings/channels/${box.id}`);
  await page.getByText("1 of 1 · 1 waiting").waitFor();
  await page.getByLabel("Emails a day").fill("5");
  const replyForm = page.locator("form").filter({ has: page.getByLabel("Emails a day") });
  await replyForm.getByRole("button", { name: "Save changes" }).click();
  await expect.poll(() => box.smtp.mails.length).toBe(2);

  await page.getByRole("switch", { name: "Send an automatic reply" }).click();
  await page.getByText("Nothing is sent yet: your mail server isn’t known.", { exact: false }).waitFor();
  await page.getByLabel("Language").selectOption("Deutsch");
  await page.getByLabel("Your own text").fill("Wir melden uns.");
  expect(await violations(page, "a mailbox with an automatic reply")).toEqual([]);
  const replyOf = page.locator("form").filter({ has: page.getByLabel("Your own text") });
  await replyOf.getByRole("button", { name: "Save changes" }).click();
  const settings = async () =>
    (await ask.get(`/channels/${box.id}`)).body.data.attributes.settings as { acknowledgement: unknown };
  await expect
    .poll(async () => (await settings()).acknowledgement)
    .toEqual({ text: "Wir melden uns.", language: "de" });

  await page.goto(`${shop.frontdesk.origin}/app/inbox/${first}`);
  await messageOf(page, "On Sundays").getByRole("button", { name: "Sent", exact: true }).waitFor();
  expect(complaints).toEqual([]);
});

test("a list shows one channel alone, or one account of it, and can be saved as a view", async () => {
  const { shop, box } = await scene();
  const second = await mailbox(asTeam(shop));
  await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name: "Vera", content: "By chat" } });
  await box.arrives({ text: "By the first mailbox" });
  await second.arrives({ from: "kim@kim.example", text: "By the second mailbox" });
  const { page } = await signIn(shop);
  const rows = page.locator("[role=listitem]");
  const shows = (...texts: string[]) =>
    expect
      .poll(async () => (await rows.allInnerTexts()).map((text) => texts.find((each) => text.includes(each))))
      .toEqual(texts);
  await shows("By the second mailbox", "By the first mailbox", "By chat");
  await page.getByRole("button", { name: "Filter" }).click();
  const channel = page.getByLabel("Channel", { exact: true });
  await channel.selectOption("Email");
  await shows("By the second mailbox", "By the first mailbox");
  await channel.selectOption(`Email: ${box.address}`);
  await shows("By the first mailbox");
  await page.getByRole("button", { name: "Save as view" }).click();
  await page.getByLabel("View name").fill("Orders");
  await page.keyboard.press("Enter");
  await page.getByRole("navigation").getByRole("link", { name: "Orders" }).waitFor();
  await channel.selectOption("Website");
  await shows("By chat");
  await page.keyboard.press("Escape");
  await page.getByRole("navigation").getByRole("link", { name: "Orders" }).click();
  await shows("By the first mailbox");
});
