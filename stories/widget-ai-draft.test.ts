/** An answer of the built-in AI that is seen while the model writes it (docs/decisions/0085-drafts-of-answers.md). */
import { violations } from "@frontdesk/testing/accessibility";
import { signIn } from "@frontdesk/testing/agent-browser";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { openChat, openShop, visit, write } from "@frontdesk/testing/visitor-browser";
import { afterAll, expect, test } from "vitest";

const model = await startScriptedModel();
afterAll(model.stop);
const shop = await openShop("sqlite", { AI_BASE_URL: model.url, AI_MODEL: "scripted" }, afterAll);

const FIRST = "Parcels arrive within 3 working days.";
const SECOND = "Returns are free for 30 days.";

test("sentence by sentence, in the chat and in the inbox, until the message takes its place", async () => {
  await shop.api.createArticle({
    body: { question: "How long do parcels take?", answer: `${FIRST} ${SECOND}`, is_published: true },
  });
  await shop.api.updateAi({ body: { is_active: true, name: "Robin", streamed: true } });
  const written = `ANSWER\n${FIRST.slice(0, -1)} [1]. ${SECOND.slice(0, -1)} [1].`;
  model.answerNext(written);
  const held = model.pauseNext(written.indexOf("Returns") + 24);

  // What is shown early is for who is there: it is sent once.
  const agent = await signIn(shop);
  const { page, complaints } = await visit(`${shop.frontdesk.origin}/demo/${shop.widgetId}`);
  const frame = await openChat(page);
  await write(frame, "How long do parcels take?");
  await held.asked;
  const draft = frame.locator(".message:not(.own)").filter({ hasText: FIRST });
  await draft.waitFor();
  expect(await draft.innerText()).toContain("Robin");
  expect(await draft.innerText()).not.toMatch(/Returns|\[1\]/);
  expect(await frame.locator("[aria-live=polite]").textContent()).not.toContain(FIRST);
  expect(await violations(frame, "a draft of an answer")).toEqual([]);

  await agent.page.getByRole("link", { name: "With AI" }).click();
  await agent.page.locator("[role=listitem] a").first().click();
  await agent.page.getByText(FIRST).waitFor();
  expect(await agent.page.getByText(SECOND).count()).toBe(0);
  // The AI must not look like a teammate whom a reply would collide with.
  await agent.page.getByText("Robin (AI) is writing a reply").waitFor();
  expect(await violations(agent.page, "a draft of an answer, for agents")).toEqual([]);

  held.go();
  await frame.getByRole("list", { name: "Sources" }).waitFor();
  const said = frame.locator(".message:not(.own)").filter({ hasText: FIRST });
  expect(await said.count()).toBe(1);
  expect(await said.innerText()).toContain(SECOND);
  await expect.poll(() => frame.locator("[aria-live=polite]").textContent()).toContain(SECOND);
  await expect.poll(() => agent.page.getByText(SECOND).count()).toBeGreaterThan(0);
  expect([...complaints, ...agent.complaints]).toEqual([]);
});
