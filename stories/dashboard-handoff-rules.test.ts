/** What a person always answers: set by the owner, obeyed without a model, told at the handoff, and summed up in a note. */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { openShop } from "@frontdesk/testing/visitor-browser";
import { afterAll, expect, test } from "vitest";

const model = await startScriptedModel();
afterAll(model.stop);
const shop = await openShop("sqlite", { AI_BASE_URL: model.url, AI_MODEL: "scripted" }, afterAll);

const SUMMARY = "Vera asked about parcels and now wants her money back.";

async function asks(content: string) {
  const who = { name: "Vera", email: "vera@example.com" };
  const { data } = await shop.api.sendVisitorMessage({ body: { widget_id: shop.widgetId, ...who, content } });
  return data.attributes;
}

test("an owner's word hands over, says so at the handoff, and a note sums up the chat", async () => {
  await shop.api.createArticle({
    body: {
      question: "How long does a parcel take?",
      answer: "Parcels arrive within 3 working days.",
      is_published: true,
    },
  });
  const { conversation_id, chat_contact_id: id } = await asks("Hello");
  const of = { params: { conversation_id } };
  await shop.api.addTag({ ...of, body: { name: "Legal" } });
  await shop.api.setCustomData({ params: { id: id ?? "", name: "plan" }, body: { value: "Free" } });

  const { page, complaints } = await signIn(shop, "/settings/ai");
  await page.getByRole("switch", { name: "Answer visitors" }).click();
  await page.getByLabel("Name", { exact: true }).first().fill("Robin");
  await page.getByLabel("Words and phrases").fill("money back\n\nrefund");
  await page.getByLabel("Pages", { exact: true }).fill("pricing");
  await page.getByLabel("Add tag").selectOption({ label: "Legal" });
  await page.getByRole("button", { name: "Remove Legal" }).waitFor();
  await page.getByRole("button", { name: "Add a value" }).click();
  await page.getByLabel("Value", { exact: true }).fill("Enterprise");
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("“pricing” must be a path like /pricing").waitFor();
  await page.getByLabel("Pages", { exact: true }).fill("/pricing");
  await page.getByRole("button", { name: "Remove Legal" }).click();
  await page.getByRole("button", { name: "Save changes" }).click();
  await page.getByText("Saved").first().waitFor();
  expect(await violations(page, "rules of handoffs")).toEqual([]);
  const section = page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Always hand over" }) })
    .last();
  await section.scrollIntoViewIfNeeded();
  await page.reload();
  await expect.poll(() => page.getByLabel("Words and phrases").inputValue()).toBe("money back\nrefund");
  await expect.poll(() => page.getByLabel("Value", { exact: true }).inputValue()).toBe("Enterprise");

  await shop.api.returnToAssistant(of);
  const messages = async () => (await shop.api.listMessages(of)).data.length;
  await expect.poll(messages).toBe(2);
  await asks("How long does a parcel take?");
  await expect.poll(messages).toBe(4);
  model.answerNext(SUMMARY);
  await asks("Too long. I want my MONEY BACK");
  await page.goto(`${shop.frontdesk.origin}/app/inbox/${conversation_id}`);
  await page.getByText("Robin handed over: one of your rules says so").first().waitFor();
  await page.getByText(SUMMARY).last().waitFor();
  expect(await violations(page, "a handoff by a rule")).toEqual([]);
  await page.getByRole("region", { name: /Vera/ }).getByRole("button", { name: "Why?" }).last().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("The message contains").waitFor();
  await dialog.getByText("money back").first().waitFor();
  // The browser reports the refused path.
  expect(complaints).toEqual([expect.stringContaining("422")]);
});
