import { dialogOf, signIn } from "@frontdesk/testing/agent-browser";
import { conversationId, openShop } from "@frontdesk/testing/visitor-browser";
import { expect, test } from "vitest";

test("a mistyped canned reply is asked about before it goes to the visitor, and a mistyped placeholder is refused", async () => {
  const shop = await openShop();
  await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, name: "Vera", content: "Hello" } });
  const { page } = await signIn(shop, "/settings/canned-replies");
  await page.getByRole("button", { name: "Add canned reply" }).click();
  const dialog = dialogOf(page);
  await dialog.locator("input[name=name]").fill("refund");
  await dialog.locator("textarea[name=content]").fill("Hi {{contact.frist_name|you}}");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("{{contact.frist_name|you}} isn’t a placeholder.").waitFor();
  await dialog.getByText("{{contact.first_name}}, ").waitFor();
  await dialog.locator("textarea[name=content]").fill("Hi {{contact.first_name|you}}");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });

  await page.keyboard.press("g");
  await page.keyboard.press("i");
  await page.locator("[role=listitem]", { hasText: "Vera" }).waitFor();
  await page.keyboard.press("j");
  const field = page.locator("section textarea");
  const question = page.getByText("No canned reply “zzzz”. Press Enter again to send it as text.");
  const thread = page.locator("section [data-index]");
  await thread.filter({ hasText: "Hello" }).waitFor();
  await page.keyboard.press("r");
  await page.keyboard.type("/zzzz");
  await page.keyboard.press("Enter");
  await question.waitFor();
  expect(await field.inputValue()).toBe("/zzzz");

  // Another text is another question.
  await page.keyboard.type(" now");
  await question.waitFor({ state: "detached" });
  await page.keyboard.press("Enter");
  await question.waitFor();
  await page.keyboard.press("Enter");
  await thread.filter({ hasText: "/zzzz now" }).waitFor();
  const { data } = await shop.api.listMessages({ params: { conversation_id: await conversationId(shop) } });
  expect(data.map(({ attributes }) => attributes.content)).toEqual(expect.arrayContaining(["Hello", "/zzzz now"]));
  expect(data).toHaveLength(2);

  // No visitor reads a note.
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.keyboard.type("/zzzz in a note");
  await page.keyboard.press("Enter");
  await thread.filter({ hasText: "/zzzz in a note" }).waitFor();
});
