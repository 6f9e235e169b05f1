/** Which model a team uses, and with which key. */
import { defaultAiSettings } from "@frontdesk/core/domain/ai/ai-settings";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import type { AgentActor } from "../../access/actor.ts";
import { getOwnProfile } from "../../agents/get-own-profile.ts";
import type { Context, Operation } from "../../context.ts";
import { connectionOf, openModel } from "./open-ai-settings.ts";

const operator = {
  ...{ baseUrl: "http://10.1.2.3:8000/v1", model: "llama3.1:8b", apiKey: "the operator's", embeddingModel: "bge-m3" },
};
const own = { ...defaultAiSettings, ownKey: undefined };

test("a team without settings of its own uses the operator's model", () => {
  expect(connectionOf(operator, own)).toEqual(operator);
  expect(connectionOf(undefined, own)).toBeUndefined();
});

test("it can name another model on the operator's server, and have its own key there", () => {
  expect(connectionOf(operator, { ...own, model: "qwen3" })).toEqual({ ...operator, model: "qwen3" });
  expect(connectionOf(operator, { ...own, ownKey: "sk-1" })).toEqual({ ...operator, apiKey: "sk-1" });
});

test("a second model is one of the same server", () => {
  const second = { ...own, second_model: "spare" };
  expect(connectionOf(operator, second)).toEqual({ ...operator, secondModel: "spare" });
  const elsewhere = { ...second, base_url: "https://models.test/v1", model: "m" };
  expect(connectionOf(operator, elsewhere)).toMatchObject({ model: "m", secondModel: "spare", apiKey: "" });
});

test("its own server never gets the operator's key, nor its models", () => {
  const elsewhere = { ...own, base_url: "https://evil.test/v1" };
  expect(connectionOf(operator, elsewhere)).toBeUndefined();
  const named = connectionOf(operator, { ...elsewhere, model: "m" });
  expect(named).toEqual({ baseUrl: "https://evil.test/v1", model: "m", apiKey: "", embeddingModel: "" });
  // Not even where it is the same server.
  expect(connectionOf(operator, { ...own, base_url: operator.baseUrl, model: "m" })?.apiKey).toBe("");
});

const { app, team, storage } = await startTestApp({
  AI_BASE_URL: operator.baseUrl,
  AI_MODEL: operator.model,
  AI_API_KEY: "the-operators",
});

test("the operator's model is offered by name, and can be switched on at once", async () => {
  const acme = await team();
  const shown = (await acme.get("/ai")).body;
  expect(shown.data.attributes).toMatchObject({ operator_model: operator.model, base_url: null, api_key_set: false });
  const { status, body } = await acme.patch("/ai", { is_active: true });
  expect(status).toBe(200);
  expect(body.data.attributes.state).toBe("ready");
  for (const answer of [shown, body]) {
    expect(JSON.stringify(answer)).not.toContain("the-operators");
    expect(JSON.stringify(answer)).not.toContain("10.1.2.3");
  }
  const model: Operation<null, unknown> = { name: "get-ai", mode: "read", run: (ctx: Context) => openModel(ctx) };
  expect(await app.perform(acme.actor, model, null)).toMatchObject({ apiKey: "the-operators" });
});

test("who is signed in is told of the model and of suggested replies, and its key is not opened for that", async () => {
  const acme = await team();
  const ada: AgentActor = {
    ...{ kind: "agent", teamId: acme.teamId, agentId: acme.ada.id, role: "CHAT_AGENT_OWNER" },
    ...{ sessionId: acme.ada.id, verifiedAt: 0, reach: "everything" },
  };
  const told = async () => {
    const { hasModel, hasGhostText } = await app.perform(ada, getOwnProfile, {});
    return { hasModel, hasGhostText };
  };
  expect(await told()).toEqual({ hasModel: true, hasGhostText: false });
  await acme.patch("/ai", { ghost_text: true, api_key: "sk-0123456789" });
  expect(await told()).toEqual({ hasModel: true, hasGhostText: true });
  // As after the loss of the secret.
  await query(storage, `UPDATE ai_settings SET api_key_sealed = 'unreadable' WHERE team_id = '${acme.teamId}'`);
  expect(await told()).toEqual({ hasModel: true, hasGhostText: true });
  await acme.patch("/ai", { base_url: "https://models.acme.test/v1" });
  expect(await told()).toEqual({ hasModel: false, hasGhostText: false });
});
