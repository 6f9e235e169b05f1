/** Decision 52 and the specification's "Confirmation flow". */
import type { ConfirmationRequired } from "@frontdesk/core/contract/tool-resources";
import { Refusal } from "@frontdesk/core/domain/refusal";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { AssistantActor } from "../access/actor.ts";
import { createAuthentication } from "../access/authenticate.ts";
import { addTag } from "../tags/add-tag.ts";
import { removeTag } from "../tags/remove-tag.ts";
import { confirmed } from "./confirmed.ts";
import { createAssistant } from "./create-assistant.ts";

const { app, team, storage, clock } = await startTestApp();
const server = createAuthentication(storage, clock.now, () => {});

async function connect(acme: TestTeam): Promise<AssistantActor> {
  const asked = { name: "Helper", permissions: "all", widgets: "all", channels: [], agentId: null } as const;
  const { token } = await app.perform(acme.actor, createAssistant, asked);
  return (await server.assistant(token)).actor;
}

/** A conversation with the tag "shipping", and an assistant. */
async function tagged() {
  const acme = await team();
  const begun = await acme.post("/conversations", { widget_id: acme.widgetId, content: "Hello", name: "Vera" });
  const conversationId = begun.body.data.attributes.conversation_id as string;
  await app.perform(acme.actor, addTag, { conversationId, name: "shipping" });
  return { acme, conversationId, actor: await connect(acme) };
}

interface Asked {
  conversationId: string;
  name?: string;
  token?: string;
  tool?: string;
  bound?: unknown;
}

/** remove-tag as an assistant calls it. */
function remove(
  actor: AssistantActor,
  { conversationId, name = "shipping", token, tool = "remove-tag", bound }: Asked,
) {
  const asked = { tool, arguments: { conversation_id: conversationId, name }, token };
  const plan = async () => ({ affected: 1, message: `This takes the tag ${name} off one conversation.`, bound });
  return app.perform(actor, confirmed(removeTag, asked, plan), { conversationId, name });
}

const tokenOf = async (actor: AssistantActor, asked: Asked) =>
  ((await remove(actor, asked)) as ConfirmationRequired).confirmation_token;

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => "done",
    (error) => (error instanceof Refusal ? Object.values(error.reason).at(-1) : error),
  );

const notValid = { confirmation_token: [expect.stringContaining("is invalid or has expired")] };
const somethingElse = { confirmation_token: [expect.stringContaining("for a different call")] };

test("the first call does nothing and says what would be done; the second, with the token, does it", async () => {
  const { acme, conversationId, actor } = await tagged();
  const before = await acme.events();
  const asked = await remove(actor, { conversationId });
  expect(asked).toEqual({
    confirmation_required: true,
    confirmation_token: expect.stringMatching(/^fd_confirm_/),
    affected_count: 1,
    message: "This takes the tag shipping off one conversation.",
    expires_in_seconds: 300,
  });
  expect(await acme.events()).toEqual(before);
  const token = (asked as ConfirmationRequired).confirmation_token;
  expect(await remove(actor, { conversationId, token })).toMatchObject({ tag: { name: "shipping" } });
  expect((await acme.events()).at(-1)?.name).toBe("tag.removed");
});

test("a token works once, and until its 300 seconds are over", async () => {
  const { acme, conversationId, actor } = await tagged();
  const token = await tokenOf(actor, { conversationId });
  clock.advance(299_999);
  expect(await refusal(remove(actor, { conversationId, token }))).toBe("done");
  await app.perform(acme.actor, addTag, { conversationId, name: "shipping" });
  expect(await refusal(remove(actor, { conversationId, token }))).toEqual(notValid);
  const late = await tokenOf(actor, { conversationId });
  clock.advance(300_000);
  expect(await refusal(remove(actor, { conversationId, token: late }))).toEqual(notValid);
});

test("a token fits its connection, its tool, exactly its arguments, and what was found for them", async () => {
  const { acme, conversationId, actor } = await tagged();
  const token = await tokenOf(actor, { conversationId });
  const other = await connect(acme);
  expect(await refusal(remove(other, { conversationId, token }))).toEqual(notValid);
  expect(await refusal(remove(actor, { conversationId, token, tool: "resolve-conversation" }))).toEqual(notValid);
  expect(await refusal(remove(actor, { conversationId, token: `${token}x` }))).toEqual(notValid);
  expect(await refusal(remove(actor, { conversationId, token, name: "Shipping" }))).toEqual(somethingElse);
  expect(await refusal(remove(actor, { conversationId, token, bound: "another agent" }))).toEqual(somethingElse);
  expect(await refusal(remove(actor, { conversationId, token }))).toBe("done");
});

test("what fails does not use the token up; of two uses at the same moment one acts", async () => {
  const { acme, conversationId, actor } = await tagged();
  const token = await tokenOf(actor, { conversationId });
  await app.perform(acme.actor, removeTag, { conversationId, name: "shipping" });
  expect(await refusal(remove(actor, { conversationId, token }))).toBe("tag");
  await app.perform(acme.actor, addTag, { conversationId, name: "shipping" });
  const twice = await Promise.all([1, 2].map(() => refusal(remove(actor, { conversationId, token }))));
  expect(twice).toEqual(["done", notValid]);
});
