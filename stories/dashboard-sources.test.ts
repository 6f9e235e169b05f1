/** Websites and files as sources of articles, on the knowledge page. */

import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { afterAll, expect, test } from "vitest";

const model = await startScriptedModel();
afterAll(() => model.stop());
const shop = await openShop("sqlite", { AI_BASE_URL: model.url, AI_MODEL: "scripted" }, afterAll);

test("an admin adds a website, sees in words why it cannot be read, removes it, and imports a file as a draft", async () => {
  const { page } = await signIn(shop, "/knowledge");
  await page.getByRole("button", { name: "Sources" }).click();
  const dialog = page.getByRole("dialog", { name: "Sources" });
  await dialog.getByText("No websites yet.").waitFor();

  await dialog.getByLabel("Website address").fill("localhost");
  await dialog.getByRole("button", { name: "Add website" }).click();
  await dialog.getByText("This isn’t the address of a website.").waitFor();
  await dialog.getByLabel("Website address").fill("https://10.0.0.7/help/");
  await dialog.getByRole("button", { name: "Add website" }).click();
  await dialog.getByText("This address isn’t on the public internet.").waitFor();
  expect(await violations(page, "the sources")).toEqual([]);

  const returns = { name: "Returns.md", mimeType: "text/markdown" };
  await dialog.getByLabel("Import file").setInputFiles([
    // One that cannot be read is named, and keeps no other out.
    { name: "Prices.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 and no more") },
    { ...returns, buffer: Buffer.from("# How do I send it back?\n\nIn its own box.") },
  ]);
  await page.getByText("Prices.pdf: ").waitFor();
  await page.getByText("Articles added: 1").waitFor();
  await dialog.getByRole("button", { name: "Remove website" }).click();
  await page
    .getByRole("dialog", { name: "Remove this website?" })
    .getByRole("button", { name: "Remove website" })
    .click();
  await dialog.getByText("No websites yet.").waitFor();
  await page.keyboard.press("Escape");

  await page.getByRole("switch", { name: "Drafts only" }).click();
  const draft = page.getByRole("link", { name: "How do I send it back?" });
  await draft.getByText("Returns.md").waitFor();
  await draft.getByText("Draft", { exact: true }).waitFor();
  expect(await violations(page, "the drafts")).toEqual([]);
  await page.context().close();
});

test("an agent has an article drafted from a resolved conversation, sees where it is from, and publishes it", async () => {
  const body = { widget_id: shop.widgetId, name: "Vera", content: "How do I get a refund?" };
  const { data } = await shop.api.sendVisitorMessage({ body });
  const { conversation_id: id } = data.attributes;
  const { page } = await signIn(shop, `/inbox/${id}?view=all`);
  await page.getByRole("button", { name: "More", exact: true }).first().click();
  // Of an open conversation there is none.
  await page.getByRole("menuitem", { name: "Mark as unread" }).waitFor();
  expect(await page.getByRole("menuitem", { name: "Suggest an article" }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Resolve", exact: true }).click();
  await page.getByRole("button", { name: "Reopen", exact: true }).waitFor();

  model.answerNext("How do I get a refund?\n\nSend it back within **30 days**.");
  const suggest = async () => {
    await page.getByRole("button", { name: "More", exact: true }).first().click();
    await page.getByRole("menuitem", { name: "Suggest an article" }).click();
  };
  await suggest();
  await page.getByText("Article drafted: How do I get a refund?").waitFor();
  await page.getByRole("button", { name: "Open article" }).click();
  await page.getByText("Drafted by AI from a conversation.").waitFor();
  await page.getByRole("link", { name: "How do I get a refund?" }).getByText("A conversation").waitFor();
  expect(await violations(page, "a drafted article")).toEqual([]);
  await page.getByRole("switch", { name: "Published" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved").first().waitFor();

  await page.getByRole("link", { name: "Open conversation" }).click();
  await page.waitForURL(new RegExp(`/inbox/${id}`));
  await suggest();
  await page.getByText("There’s an article already: How do I get a refund?").waitFor();
  await page.context().close();
});
