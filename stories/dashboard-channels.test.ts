import { signIn } from "@frontdesk/testing/agent-browser";
import { openLoft } from "@frontdesk/testing/pigeon";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { expect, test } from "vitest";

test("a conversation of another channel is in the list as it comes in, can be opened, and is answered", async () => {
  const shop = await openShop();
  const { teamId, widgetId, frontdesk, api } = shop;
  const { page, complaints } = await signIn(shop);
  const loft = await openLoft(frontdesk.running(), { widgetId, actor: { kind: "system", teamId } });

  const { conversationId } = await loft.letter({ content: "Do you take letters?" });
  const row = page.locator("[role=listitem]");
  await expect.poll(() => row.count()).toBe(1);
  expect(await row.textContent()).toContain("Petra");
  await row.locator("a").click();
  await page.locator("section textarea").fill("We do take letters.");
  await page.keyboard.press("Enter");
  const said = page.locator("[data-index]");
  await expect.poll(() => said.allTextContents()).toContainEqual(expect.stringContaining("We do take letters."));
  // It is shown before it is stored.
  const stored = async () => (await api.listMessages({ params: { conversation_id: conversationId } })).data;
  await expect.poll(async () => (await stored()).length).toBe(2);

  await loft.letter({ content: "Lovely" });
  await expect.poll(() => said.allTextContents()).toContainEqual(expect.stringContaining("Lovely"));
  expect((await stored()).map(({ attributes: { content, origin } }) => [content, origin])).toEqual([
    ["Lovely", "messenger"],
    ["We do take letters.", "messenger"],
    ["Do you take letters?", "messenger"],
  ]);
  expect(complaints).toEqual([]);
});
