/** Deleting in the dashboard, while two agents and the visitor look at it (docs/decisions/0053-erasing.md). */
import { violations, violationsInDepth } from "@frontdesk/testing/accessibility";
import { BEN, dialogOf, joins, signIn } from "@frontdesk/testing/agent-browser";
import { eraseOldFiles } from "@frontdesk/testing/erase-old-files";
import { lineOf } from "@frontdesk/testing/page-line";
import {
  anotherTeam,
  answer,
  bubbles,
  chatButton,
  chatFrame,
  conversationId,
  openChat,
  openShop,
  visit,
  write,
} from "@frontdesk/testing/visitor-browser";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";

const server = await openShop("sqlite", {}, afterAll);

const rows = (page: Page) => page.locator("[role=listitem]");
const field = (page: Page) => page.locator("section textarea");
const thread = async (page: Page) => (await page.locator("[data-index]").allTextContents()).join("\n");
const deleted = (page: Page) => page.getByRole("status").getByText("This conversation was deleted");
const openFirst = async (page: Page) => {
  await rows(page).first().locator("a").click();
  await field(page).waitFor();
};

/** A shop where Vera has written, and Ada the owner and Ben, a member, have the inbox open. */
async function begun(text: string) {
  const shop = await anotherTeam(server);
  await joins(shop, BEN);
  const { page: veraPage } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const vera = await openChat(veraPage);
  await write(vera, text);
  const id = await conversationId(shop);
  const contactId = (await shop.api.listContacts()).data[0]?.id ?? "";
  await shop.api.updateContact({ params: { id: contactId }, body: { name: "Vera" } });
  const [{ page: ada }, { page: ben }] = [await signIn(shop), await signIn(shop, "/inbox", {}, BEN)];
  return { shop, id, contactId, vera, veraPage, ada, ben };
}

test("a contact is deleted while all look at it, and nobody has them any more", async () => {
  const { contactId, vera, veraPage, ada, ben } = await begun("I am Vera from Lisbon.");
  await openFirst(ben);
  await ben.getByRole("button", { name: "More", exact: true }).click();
  await ben.getByRole("menuitem", { name: "Block visitor" }).waitFor();
  expect(await ben.getByRole("menuitem", { name: /Delete/ }).count()).toBe(0);
  await ben.keyboard.press("Escape");
  await openFirst(ada);
  await ada.getByRole("link", { name: "Open contact" }).click();
  const contact = ada.getByRole("complementary", { name: "Vera" });

  // On hold, she cannot be deleted.
  await contact.getByRole("button", { name: "Put on hold…" }).click();
  await dialogOf(ada).getByLabel("Reason").fill("Court case 12");
  expect(await violations(ada, "a hold")).toEqual([]);
  await dialogOf(ada).getByRole("button", { name: "Put on hold" }).click();
  const hold = contact.getByRole("region", { name: "On hold" });
  await hold.getByText("Court case 12").waitFor();
  await hold.getByText(/By Ada/).waitFor();
  expect(await violations(ada, "a contact on hold")).toEqual([]);
  const erase = contact.getByRole("button", { name: "Delete contact…" });
  await erase.focus();
  await ada.keyboard.press("Enter");
  const name = dialogOf(ada).getByLabel("Type “Vera” to confirm");
  await name.fill("Hugo");
  await ada.keyboard.press("Enter");
  await dialogOf(ada).getByText("This doesn’t match the name.").waitFor();
  await name.fill(" vera");
  expect(await violations(ada, "a contact to delete")).toEqual([]);
  await ada.keyboard.press("Enter");
  await dialogOf(ada).getByRole("alert").getByText("This contact is on hold: Court case 12").waitFor();
  await ada.keyboard.press("Escape");
  await dialogOf(ada).waitFor({ state: "detached" });
  await hold.getByRole("button", { name: "Release hold" }).click();
  await hold.waitFor({ state: "detached" });

  // Released, she is: here, at Ben, and in her own browser.
  await erase.click();
  await name.fill("Vera");
  await dialogOf(ada).getByRole("button", { name: "Delete contact", exact: true }).dblclick();
  await contact.waitFor({ state: "detached" });
  await ada.getByText("No contacts yet").waitFor();
  expect(ada.url()).not.toContain(contactId);
  await deleted(ben).waitFor();
  expect(await rows(ben).count()).toBe(0);
  expect(await ben.locator("body").innerText()).not.toContain("Lisbon");
  expect(await violations(ben, "a deleted conversation")).toEqual([]);
  await ben.getByRole("button", { name: "Go to inbox" }).click();
  await deleted(ben).waitFor({ state: "detached" });
  await expect.poll(() => bubbles(vera)).toEqual([]);
  expect(await vera.locator(".wrong").count()).toBe(0);

  // She writes again, as a new visitor; a reload shows that alone.
  await write(vera, "Hello?");
  await expect.poll(() => rows(ben).count()).toBe(1);
  expect(await rows(ben).innerText()).toContain("Hello?");
  expect(await rows(ben).innerText()).not.toContain("Vera");
  await veraPage.reload();
  await expect.poll(async () => bubbles(await chatFrame(veraPage))).toEqual(["Hello?"]);
});

test("a contact whose page is open is deleted elsewhere: the page says so, and asks for nothing that is gone", async () => {
  const { shop, contactId, ben } = await begun("I am Vera.");
  await ben.goto(`${shop.frontdesk.origin}/app/contacts/${contactId}`);
  await ben.getByRole("complementary", { name: "Vera" }).waitFor();
  const notFound: string[] = [];
  ben.on("response", (response) => response.status() === 404 && notFound.push(response.url()));
  await shop.api.eraseContact({ params: { id: contactId } });
  await ben.getByRole("status").getByText("This contact was deleted").waitFor();
  await ben.getByRole("button", { name: "Go to contacts" }).click();
  await ben.getByText("No contacts yet").waitFor();
  expect(notFound).toEqual([]);
});

test("a conversation is deleted by the palette; what waits for it elsewhere is dropped with a word", async () => {
  const { shop, id, vera, ada, ben } = await begun("Where is my order?");
  const line = await lineOf(ben);
  await openFirst(ben);
  await line.cut();
  await ben.getByRole("status").filter({ hasText: "No connection" }).waitFor();
  await field(ben).fill("It is on its way.");
  await ben.keyboard.press("Enter");
  await ben.getByText("Sends once the connection is back").waitFor();
  await openFirst(ada);
  await ada.keyboard.press("Control+k");
  await ada.getByRole("combobox").waitFor();
  await ada.keyboard.type("delete conv");
  await ada.keyboard.press("Enter");
  await dialogOf(ada).getByLabel(/^Type/).fill("Vera");
  expect(await violationsInDepth(ada, "a conversation to delete")).toEqual([]);
  await ada.keyboard.press("Enter");
  await dialogOf(ada).waitFor({ state: "detached" });
  await expect.poll(() => rows(ada).count()).toBe(0);
  await expect.poll(() => bubbles(vera)).toEqual([]);

  await line.mend();
  await deleted(ben).waitFor();
  await ben.getByText("1 unsent message was discarded because its conversation was deleted.").waitFor();
  await expect.poll(() => rows(ben).count()).toBe(0);
  expect(await ben.evaluate("JSON.stringify(localStorage)")).not.toContain(id);
  expect((await shop.api.listContacts()).data).toHaveLength(1);
  await ada.goto(`${shop.frontdesk.origin}/app/settings/audit-log`);
  await ada.getByRole("listitem").getByText("Conversation deleted").waitFor();
});

test("the text of a message is deleted: agents and the visitor see that it was, now and after a reload", async () => {
  const { shop, id, vera, veraPage, ada, ben } = await begun("My card is 4111 1111.");
  await openFirst(ada);
  await openFirst(ben);
  expect(await ben.getByRole("button", { name: "Message actions" }).count()).toBe(0);
  const actions = ada.getByRole("button", { name: "Message actions" });
  await actions.focus();
  await ada.keyboard.press("Enter");
  await ada.getByRole("menuitem", { name: "Delete text and files…" }).click();
  await dialogOf(ada).getByText("Delete text and files?").waitFor();
  expect(await violations(ada, "a message to delete")).toEqual([]);
  await dialogOf(ada).getByRole("button", { name: "Delete", exact: true }).click();
  for (const page of [ada, ben]) {
    await expect.poll(() => thread(page)).toContain("Message deleted");
    await expect.poll(() => rows(page).innerText()).toContain("Message deleted");
    expect(await page.locator("body").innerText()).not.toContain("4111");
  }
  await expect.poll(() => bubbles(vera)).toEqual(["Message deleted"]);
  expect(await violations(ada, "a deleted message")).toEqual([]);
  await Promise.all([ben.reload(), veraPage.reload()]);
  await expect.poll(() => thread(ben)).toContain("Message deleted");
  await expect.poll(async () => bubbles(await chatFrame(veraPage))).toEqual(["Message deleted"]);

  // An answer that she has not seen is not counted any more.
  await veraPage.evaluate("Frontdesk('close')");
  await answer(shop, "Your code is 77.");
  await expect.poll(async () => (await chatButton(veraPage))?.name).toContain("1 unread message");
  const messages = await shop.api.listMessages({ params: { conversation_id: id } });
  const code = messages.data.find(({ attributes }) => attributes.content === "Your code is 77.");
  await shop.api.redactMessage({ params: { id: code?.id ?? "" }, body: {} });
  await expect.poll(async () => (await chatButton(veraPage))?.name).not.toContain("unread");
});

test("old files go by retention, and from every open page, without a reload; the texts stay", async () => {
  const { shop, id, vera, veraPage, ada, ben } = await begun("Where is my order?");
  for (const page of [ada, ben]) await openFirst(page);
  await shop.api.createMessage({
    body: {
      conversation_id: id,
      agent_id: shop.agentId,
      content: "Here is the invoice.",
      attachments: [{ url: "https://files.acme.test/2140.pdf", name: "invoice-2140.pdf" }],
    },
  });
  for (const page of [ada, ben]) await expect.poll(() => thread(page)).toContain("invoice-2140.pdf");
  await expect.poll(() => vera.locator("body").innerText()).toContain("invoice-2140.pdf");

  await eraseOldFiles(shop.frontdesk.running(), shop.teamId);
  for (const page of [ada, ben]) {
    await expect.poll(() => thread(page)).not.toContain("invoice-2140.pdf");
    expect(await thread(page)).toContain("Here is the invoice.");
  }
  await expect.poll(() => vera.locator("body").innerText()).not.toContain("invoice-2140.pdf");
  expect(await bubbles(vera)).toEqual(["Where is my order?", "Here is the invoice."]);
  await Promise.all([ben.reload(), veraPage.reload()]);
  await expect.poll(() => thread(ben)).toContain("Here is the invoice.");
  expect(await thread(ben)).not.toContain("invoice-2140.pdf");
});

test("the personal data of an agent who has left is deleted: what they wrote is by a former colleague", async () => {
  const { shop, vera, veraPage, ada, ben } = await begun("Where is my order?");
  await openFirst(ben);
  await field(ben).fill("It is on its way.");
  await ben.keyboard.press("Enter");
  await expect.poll(() => bubbles(vera)).toEqual(["Where is my order?", "It is on its way."]);
  await openFirst(ada);
  await expect.poll(() => thread(ada)).toContain("Ben");

  const { page: team } = await signIn(shop, "/settings/team");
  const actions = team.getByRole("button", { name: /Ben/ });
  await actions.click();
  await team.getByRole("menuitem", { name: "Deactivate" }).click();
  await dialogOf(team).getByLabel("Hand over 1 open conversation to").selectOption("");
  await dialogOf(team).getByRole("button", { name: "Deactivate" }).click();
  await team.getByText("Deactivated", { exact: true }).waitFor();
  await actions.focus();
  await team.keyboard.press("Enter");
  await team.getByRole("menuitem", { name: "Delete personal data…" }).click();
  const name = dialogOf(team).getByLabel("Type “Ben” to confirm");
  await name.fill("Mia");
  await team.keyboard.press("Enter");
  await dialogOf(team).getByText("This doesn’t match the name.").waitFor();
  expect(await violationsInDepth(team, "an agent to remove")).toEqual([]);
  await name.fill("ben");
  await team.keyboard.press("Enter");
  await dialogOf(team).waitFor({ state: "detached" });
  await team.getByText("ben@acme.test").waitFor({ state: "detached" });

  // Without a reload, in the messages and in the lines between them.
  await expect.poll(() => thread(ada)).toContain("Former colleague");
  await expect.poll(() => thread(ada)).not.toContain("Ben");
  expect(await thread(ada)).toContain("It is on its way.");
  await veraPage.reload();
  const frame = await chatFrame(veraPage);
  await expect.poll(() => bubbles(frame)).toEqual(["Where is my order?", "It is on its way."]);
  expect(await frame.locator("body").innerText()).not.toMatch(/Ben|Former colleague/);
  await team.goto(`${shop.frontdesk.origin}/app/settings/audit-log`);
  await team.getByRole("listitem").getByText("Personal data of a former colleague deleted").waitFor();
  await joins(shop, BEN);
});
