/** Articles from resolved conversations, asked for by an agent, against a model server with real sockets. */
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { signedIn } from "@frontdesk/testing/signed-in";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraWrites } from "@frontdesk/testing/vera";
import { afterAll, beforeEach, expect, test } from "vitest";

const model = await startScriptedModel();
const kit = await startTestApp({ AI_BASE_URL: model.url, AI_MODEL: "scripted" });
// Erasing is a job.
await kit.app.start();
afterAll(() => model.stop());
beforeEach(() => {
  model.requests.length = 0;
  model.setPersona("honest");
});

const ARTICLE = "# How do I get a refund?\n\nSend it back within 30 days. The money comes within **5 days**.";

async function resolvedConversation() {
  const acme = await kit.team();
  const mia = await signedIn(kit, acme);
  const { conversationId } = await veraWrites(acme, {
    content: "Vera Novak here, vera@novak.test, +49 170 5550123, order 4711-00815. How do I get my money back?",
    ...{ name: "Vera Novak", email: "vera@novak.test" },
  });
  await adaReplies(acme, conversationId, { content: "Dear VERA, send it back within 30 days. Yours, Ada" });
  await adaReplies(acme, conversationId, { content: "NoteWord: Novak complains often", type: "note" });
  const resolve = () => adaSets(acme, conversationId, "resolved");
  const suggest = () => mia.post(`/conversations/${conversationId}/article`);
  return { acme, mia, conversationId, resolve, suggest };
}

test("becomes a draft that no search finds, with the conversation as its origin, and once only", async () => {
  const { acme, mia, conversationId, resolve, suggest } = await resolvedConversation();
  expect(await suggest()).toMatchObject({ status: 422 });
  await resolve();
  model.answerNext(ARTICLE);
  const { status, body } = await suggest();
  expect([status, body]).toEqual([
    200,
    { article_id: expect.any(String), question: "How do I get a refund?", is_new: true },
  ]);
  const { attributes } = (await acme.get(`/articles/${body.article_id}`)).body.data;
  expect(attributes).toMatchObject({
    ...{ question: "How do I get a refund?", is_published: false, created_by: mia.actor.agentId },
    answer: "Send it back within 30 days. The money comes within **5 days**.",
  });
  const { origins } = (await mia.get(`/knowledge/origins?articles=${body.article_id}`)).body;
  expect(origins).toMatchObject([{ source: "conversation", conversation_id: conversationId }]);
  // Again: the same draft, without the model.
  expect((await suggest()).body).toEqual({ ...body, is_new: false });
  expect(model.requests).toHaveLength(1);
});

test("the model is shown no names, addresses, long numbers and notes", async () => {
  const { resolve, suggest } = await resolvedConversation();
  await resolve();
  model.answerNext(ARTICLE);
  await suggest();
  const [request] = model.requests;
  expect(request?.raw).toContain("How do I get my money back?");
  expect(request?.raw).toContain("within 30 days");
  for (const detail of ["Vera", "VERA", "Novak", "novak.test", "5550123", "4711", "00815", "Ada", "NoteWord"])
    expect(request?.raw).not.toContain(detail);
});

test.each([
  "How did Vera get a refund?\n\nSend it back.",
  "How do I get a refund?\n\nWrite to vera@novak.test.",
  "How do I get a refund?\n\nName the order ‹number›.",
  "How do I get a refund?\n\nName the order 4711-00815.",
])("an article with details is not kept: %j", async (text) => {
  const { acme, resolve, suggest } = await resolvedConversation();
  await resolve();
  model.answerNext(text);
  expect(await suggest()).toMatchObject({ status: 422, body: { errors: { conversation: [expect.anything()] } } });
  expect((await acme.get("/articles")).body.data).toEqual([]);
});

test("nothing is made of a conversation without an answer, nor when the model fails", async () => {
  const { acme, resolve, suggest } = await resolvedConversation();
  await resolve();
  model.answerNext("NOTHING");
  expect((await suggest()).status).toBe(422);
  model.setPersona("garbage");
  expect((await suggest()).status).toBe(503);
  expect((await acme.get("/articles")).body.data).toEqual([]);
});

test("what a published article says already is not drafted again: the agent is told which one", async () => {
  const { acme, resolve, suggest } = await resolvedConversation();
  const known = { question: "How do I get a refund?", answer: "Send it back.", is_published: true };
  const { id } = (await acme.post("/articles", known)).body.data;
  await resolve();
  model.answerNext(ARTICLE);
  expect((await suggest()).body).toEqual({ article_id: id, question: known.question, is_new: false });
  expect((await acme.get("/articles")).body.data).toHaveLength(1);
});

test("the origin goes with the conversation when that is erased, and the article stays", async () => {
  const { acme, mia, conversationId, resolve, suggest } = await resolvedConversation();
  await resolve();
  model.answerNext(ARTICLE);
  const { article_id: id } = (await suggest()).body;
  const { body } = await acme.delete(`/conversations/${conversationId}`);
  const erasure = () => acme.get(`/erasures/${body.data.id}`).then((answer) => answer.body.data.attributes);
  await expect.poll(async () => (await erasure()).state).toBe("done");
  const { origins } = (await mia.get(`/knowledge/origins?articles=${id}`)).body;
  expect(origins).toMatchObject([{ source: "conversation", conversation_id: null }]);
  expect((await acme.get(`/articles/${id}`)).status).toBe(200);
});

test("another team's conversation is unknown", async () => {
  const { conversationId, resolve } = await resolvedConversation();
  await resolve();
  const other = await signedIn(kit, await kit.team());
  expect((await other.post(`/conversations/${conversationId}/article`)).status).toBe(404);
  expect(model.requests).toEqual([]);
});
