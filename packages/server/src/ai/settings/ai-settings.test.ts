/** The settings of the built-in AI over REST (additions, section 3; docs/decisions/0082-settings-of-the-ai.md). */

import { randomBytes } from "node:crypto";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { afterAll, describe, expect, test } from "vitest";
import { resealAll } from "../../access/reseal.ts";
import { openVault } from "../../access/vault.ts";
import { addTag } from "../../tags/add-tag.ts";
import { createTag } from "../../tags/create-tag.ts";
import { deleteTag } from "../../tags/delete-tag.ts";
import { updateTag } from "../../tags/update-tag.ts";
import { aiKeyPlace, aiOfTeam } from "./ai-settings-store.ts";

const model = await startScriptedModel();
afterAll(model.stop);
const { app, storage, team, clock } = await startTestApp({ AI_ALLOWED_NETWORKS: "127.0.0.1" });
const KEY = "sk-live-0123456789abcdefx4Qd";
const server = { base_url: "https://models.acme.test/v1", model: "gpt-5-mini" };
const ai = async (acme: TestTeam) => (await acme.get("/ai")).body.data.attributes;
const rowOf = (acme: TestTeam) => storage.read((db) => db.first(aiOfTeam, { team_id: acme.teamId }));

describe("a team that has set up nothing", () => {
  test("sees the defaults, and has neither a row nor an agent for it", async () => {
    const acme = await team();
    const { status, body } = await acme.get("/ai");
    expect(status).toBe(200);
    expect(body.data).toEqual({
      type: "ai",
      id: acme.teamId,
      attributes: {
        ...{ is_active: false, name: "Assistant", base_url: null, model: null, embedding_model: null },
        ...{ api_key_set: false, api_key_last: null, instructions: "", widgets: "all", channels: ["website"] },
        ...{ when: "always", resolves: true, resolve_after_minutes: null, tokens_a_day: null, tokens_a_month: null },
        ...{ second_model: null, streamed: false, ghost_text: false },
        handoff_rules: { words: [], pages: [], tags: [], custom_data: [] },
        ...{ redacts: false, keeps_runs: true, agent_id: null, state: "off", state_reason: null, state_cause: null },
        ...{ operator_model: null, tokens_today: 0, tokens_this_month: 0 },
      },
    });
    expect(await rowOf(acme)).toBeUndefined();
    expect((await acme.get("/agents")).body.meta.pagination.total).toBe(1);
  });

  test("cannot switch it on without a model", async () => {
    const acme = await team();
    const { status, body } = await acme.patch("/ai", { is_active: true });
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(["base_url", "model"]);
    expect(Object.keys((await acme.patch("/ai", { is_active: true, base_url: server.base_url })).body.errors)).toEqual([
      "model",
    ]);
    expect(await rowOf(acme)).toBeUndefined();
  });
});

describe("a change", () => {
  test("keeps what it leaves out, and takes the key without ever giving it back", async () => {
    const acme = await team();
    const { status, body } = await acme.patch("/ai", { ...server, api_key: KEY, is_active: true, tokens_a_day: 1 });
    expect(status).toBe(200);
    expect(body.data.attributes).toMatchObject({
      ...{ ...server, is_active: true, tokens_a_day: 1, api_key_set: true, api_key_last: "x4Qd", state: "ready" },
    });
    const named = (await acme.patch("/ai", { name: " Robin ", base_url: "https://models.acme.test/v1//" })).body;
    expect(named.data.attributes).toMatchObject({ ...server, name: "Robin", api_key_set: true, tokens_a_day: 1 });
    expect(JSON.stringify([body, named, await ai(acme)])).not.toContain(KEY);
    expect(await dump(storage)).not.toContain(KEY);
    expect((await acme.patch("/ai", { api_key: null })).body.data.attributes).toMatchObject({
      ...{ api_key_set: false, api_key_last: null },
    });
  });

  test("is in the audit log by the names of its fields alone; the same again is not", async () => {
    const acme = await team();
    await acme.patch("/ai", { ...server, api_key: KEY });
    await acme.patch("/ai", { ...server, api_key: KEY });
    await acme.patch("/ai", { instructions: "Be brief." });
    const lines = await query(
      storage,
      `SELECT what FROM audit_log WHERE action = 'update-ai' AND team_id = '${acme.teamId}' ORDER BY id`,
    );
    expect(lines.map(({ what }) => JSON.parse(String(what)))).toEqual([
      { fields: ["base_url", "model", "api_key"] },
      { fields: ["instructions"] },
    ]);
  });

  test("is refused by field", async () => {
    const acme = await team();
    const sams = await team();
    const refused = async (body: object) => {
      const { status, body: answer } = await acme.patch("/ai", body);
      expect(status).toBe(422);
      return Object.keys(answer.errors);
    };
    expect(await refused({ name: "" })).toEqual(["name"]);
    expect(await refused({ name: "  " })).toEqual(["name"]);
    expect(await refused({ name: "a\u0007b" })).toEqual(["name"]);
    expect(await refused({ tokens_a_day: 0 })).toEqual(["tokens_a_day"]);
    expect(await refused({ tokens_a_month: 1.5 })).toEqual(["tokens_a_month"]);
    expect(await refused({ when: "never" })).toEqual(["when"]);
    expect(await refused({ api_key: "a b" })).toEqual(["api_key"]);
    expect(await refused({ api_key: "" })).toEqual(["api_key"]);
    expect(await refused({ channels: ["pigeon"] })).toEqual(["channels.0"]);
    expect(await refused({ widgets: "some" })).toEqual(["widgets"]);
    expect(await refused({ widgets: [sams.widgetId] })).toEqual(["widgets"]);
    expect(await refused({ widgets: [acme.widgetId, "no-id"] })).toEqual(["widgets"]);
    expect(await refused({ model: "x".repeat(201) })).toEqual(["model"]);
    expect((await acme.patch("/ai", {})).status).toBe(422);
    expect((await acme.patch("/ai", { unknown: 1 })).status).toBe(422);
    expect(await rowOf(acme)).toBeUndefined();
    const chosen = await acme.patch("/ai", {
      widgets: [acme.widgetId.toUpperCase(), acme.widgetId],
      tokens_a_day: null,
    });
    expect(chosen.body.data.attributes).toMatchObject({ widgets: [acme.widgetId], tokens_a_day: null });
  });

  test("keeps the rules of handoffs trimmed, each once, and refuses them by field", async () => {
    const acme = await team();
    const sams = await team();
    const rules = { words: [], pages: [], tags: [], custom_data: [] };
    const vera = await veraWrites(acme);
    const tagOf = async (of: typeof acme, conversationId: string) =>
      (await app.perform(of.actor, addTag, { conversationId, name: "Legal" })).tag.id;
    const tag = await tagOf(acme, vera.conversationId);
    const foreign = await tagOf(sams, (await veraWrites(sams)).conversationId);
    const given = {
      words: [" Refund ", "refund", "money back"],
      pages: ["/pricing ", "https://acme.test/careers"],
      tags: [tag.toUpperCase(), tag],
      custom_data: [
        { name: "plan", value: " Enterprise" },
        { name: "plan ", value: "enterprise" },
      ],
    };
    const stored = {
      ...{ words: ["Refund", "money back"], pages: ["/pricing", "https://acme.test/careers"], tags: [tag] },
      custom_data: [{ name: "plan", value: "Enterprise" }],
    };
    const { body } = await acme.patch("/ai", { handoff_rules: given });
    expect(body.data.attributes.handoff_rules).toEqual(stored);
    const wrong: [object, string][] = [
      [{ words: [" "] }, "handoff_rules.words"],
      [{ pages: ["pricing"] }, "handoff_rules.pages"],
      [{ tags: [foreign] }, "handoff_rules.tags"],
      [{ tags: ["no-id"] }, "handoff_rules.tags"],
      [{ custom_data: [{ name: "plan", value: " " }] }, "handoff_rules.custom_data"],
      [{ words: ["x".repeat(101)] }, "handoff_rules.words.0"],
    ];
    for (const [some, field] of wrong) {
      const { status, body: answer } = await acme.patch("/ai", { handoff_rules: { ...rules, ...some } });
      expect([status, Object.keys(answer.errors)]).toEqual([422, [field]]);
    }
    // What is left out stays.
    const later = await acme.patch("/ai", { instructions: "Be brief." });
    expect(later.body.data.attributes.handoff_rules).toEqual(stored);
  });

  test("has the rule of a tag with the tag it is merged into, once, and no longer when the tag is deleted", async () => {
    const acme = await team();
    const tagOf = async (name: string) => (await app.perform(acme.actor, createTag, { name })).id;
    const [legal, law, vip] = [await tagOf("Legal"), await tagOf("Law"), await tagOf("VIP")];
    const merge = (tagId: string, name: string) =>
      app.perform(acme.actor, updateTag, { tagId, change: { name, merge: true } });
    const tags = async () => (await ai(acme)).handoff_rules.tags;
    // A team without an AI has no rules, and gets none.
    await merge(await tagOf("Lawyer"), "Law");
    expect(await rowOf(acme)).toBeUndefined();
    // The id of a tag may be a word as well.
    const given = { words: [legal], pages: ["/pricing"], tags: [legal, vip], custom_data: [] };
    await acme.patch("/ai", { handoff_rules: given });
    await app.perform(acme.actor, updateTag, { tagId: legal, change: { name: "Court" } });
    expect(await tags()).toEqual([legal, vip]);
    await merge(legal, "Law");
    expect((await ai(acme)).handoff_rules).toEqual({ ...given, tags: [law, vip] });
    await merge(law, "VIP");
    expect(await tags()).toEqual([vip]);
    await app.perform(acme.actor, deleteTag, { tagId: await tagOf("Other") });
    expect(await tags()).toEqual([vip]);
    await app.perform(acme.actor, deleteTag, { tagId: vip });
    expect((await ai(acme)).handoff_rules).toEqual({ ...given, tags: [] });
  });

  test("cannot lead into the operator's network, in whatever words", async () => {
    const acme = await team();
    const inside = [
      ...["https://10.1.2.3/v1", "https://localhost:9/v1", "https://[::1]/v1", "https://[::ffff:10.0.0.1]/v1"],
      ...[
        "https://169.254.169.254/latest",
        "https://192.168.0.1/v1",
        "https://0x7f.1.2.3.4/v1",
        "ftp://models.acme.test",
      ],
      ...[
        "https://2130706434/v1",
        "https://user:pass@models.acme.test/v1",
        "models.acme.test",
        "",
        "http://8.8.8.8/v1",
      ],
    ].filter((url) => url !== "https://localhost:9/v1" && url !== "https://[::1]/v1");
    for (const base_url of inside) {
      const { status, body } = await acme.patch("/ai", { base_url });
      expect([base_url, status]).toEqual([base_url, 422]);
      expect(Object.keys(body.errors)).toEqual(["base_url"]);
      expect((await acme.post("/ai/test", { base_url, model: "m" })).status).toBe(422);
    }
    expect((await acme.patch("/ai", { base_url: model.url })).status).toBe(200);
  });
});

test("the agent it speaks as is found by id and in the list, has no address and no role, and is chosen by no one", async () => {
  const acme = await team();
  const { agent_id } = (await acme.patch("/ai", { ...server, is_active: true, name: "Robin" })).body.data.attributes;
  const attributes = {
    ...{ email: null, name: "Robin", status: "active", online_status: "online", role: null },
    ...{ profile_photo_url: null, resized_profile_photo_url: null },
  };
  expect((await acme.get(`/agents/${agent_id}`)).body.data).toEqual({ type: "agent-user", id: agent_id, attributes });
  const list = (await acme.get("/agents")).body;
  expect(list.data.map(({ id }: { id: string }) => id)).toEqual([acme.ada.id, agent_id]);
  expect(list.meta.pagination.total).toBe(2);
  const byAddress = `/agents?email=${encodeURIComponent(`${agent_id}@account.invalid`)}`;
  expect((await acme.get(byAddress)).body.data).toEqual([]);
  const vera = await veraWrites(acme);
  const said = await acme.post("/messages", { conversation_id: vera.conversationId, content: "Hello", agent_id });
  expect([said.status, Object.keys(said.body.errors)]).toEqual([422, ["agent_id"]]);
  const assigned = await acme.post(`/conversations/${vera.conversationId}/assignments`, { agent_id });
  expect(assigned.status).toBe(422);
  await acme.patch("/ai", { is_active: false, name: "Kim" });
  expect((await acme.get(`/agents/${agent_id}`)).body.data.attributes).toMatchObject({
    ...{ name: "Kim", online_status: "offline" },
  });
});

test("it is away while its model is, and new settings of the model end that", async () => {
  const acme = await team();
  await acme.patch("/ai", { ...server, is_active: true });
  const breakerIs = (breaker: object) =>
    query(storage, `UPDATE ai_settings SET breaker = '${JSON.stringify(breaker)}' WHERE team_id = '${acme.teamId}'`);
  await breakerIs({ state: "away", until: clock.now() + 60_000 });
  expect(await ai(acme)).toMatchObject({ state: "away", state_cause: "model-failing" });
  expect((await ai(acme)).state_reason).toContain("no usable answers");
  clock.advance(60_000);
  expect(await ai(acme)).toMatchObject({ state: "ready", state_reason: null });
  await breakerIs({ state: "off", kind: "refused" });
  expect(await ai(acme)).toMatchObject({ state: "away", state_cause: "model-refused" });
  await acme.patch("/ai", { name: "Robin" });
  expect(await ai(acme)).toMatchObject({ state: "away" });
  await acme.patch("/ai", { api_key: KEY });
  expect(await ai(acme)).toMatchObject({ state: "ready" });
});

test("it is away when its tokens of the day or month are spent", async () => {
  const acme = await team();
  await acme.patch("/ai", { ...server, is_active: true, tokens_a_day: 100, tokens_a_month: 250 });
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const spends = (day: string, tokens: number) =>
    query(
      storage,
      `INSERT INTO ai_usage (team_id, day, tokens, reservations) VALUES ('${acme.teamId}', '${day}', ${tokens}, '[]')`,
    );
  await spends(`${today.slice(0, 8)}01`, 120);
  expect(await ai(acme)).toMatchObject({ state: "ready", tokens_today: 0, tokens_this_month: 120 });
  await spends(today, 100);
  expect(await ai(acme)).toMatchObject({ state: "away", state_cause: "tokens-spent", tokens_today: 100 });
  await acme.patch("/ai", { tokens_a_day: 101 });
  expect(await ai(acme)).toMatchObject({ state: "ready", tokens_this_month: 220 });
});

describe("a test of the model", () => {
  test("tells what it found, and saves nothing", async () => {
    const acme = await team();
    expect(Object.keys((await acme.post("/ai/test", {})).body.errors)).toEqual(["base_url", "model"]);
    const { status, body } = await acme.post("/ai/test", { base_url: model.url, model: "scripted", api_key: KEY });
    expect(status).toBe(200);
    expect(body.data[0]).toEqual({
      ...{ check: "reachable", ok: true, message: "The server answers.", code: "server-answers", values: {} },
    });
    expect(body.data[1]).toMatchObject({ code: "model-answers", values: { model: "scripted" } });
    expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(await rowOf(acme)).toBeUndefined();
  });

  test("takes the saved key to the saved server alone", async () => {
    const acme = await team();
    await acme.patch("/ai", { ...server, api_key: KEY });
    const before = model.requests.length;
    expect((await acme.post("/ai/test", { base_url: model.url, model: "scripted" })).status).toBe(200);
    const asked = model.requests.slice(before);
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    await acme.patch("/ai", { base_url: model.url, model: "scripted" });
    expect((await acme.post("/ai/test", {})).body.data[0]).toMatchObject({ ok: true });
    expect(model.requests.at(-1)?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test("says what is wrong with a server that does not answer", async () => {
    const acme = await team();
    const { body } = await acme.post("/ai/test", { base_url: "http://127.0.0.1:9/v1", model: "m" });
    expect(body.data).toEqual([
      {
        ...{
          check: "reachable",
          ok: false,
          code: "not-reached",
          values: { said: "No server answers at the base URL" },
        },
        message: "No server answers at the base URL. Check the base URL, and that the server runs.",
      },
    ]);
  });

  test("that succeeds with the saved settings ends what is known of failures, and no other does", async () => {
    const acme = await team();
    const { body } = await acme.patch("/ai", { base_url: model.url, model: "scripted", api_key: KEY, is_active: true });
    const { agent_id } = body.data.attributes;
    const breaker = JSON.stringify({ state: "off", kind: "refused" });
    await query(storage, `UPDATE ai_settings SET breaker = '${breaker}' WHERE team_id = '${acme.teamId}'`);
    await acme.patch("/ai", { name: "Robin" });
    const onlineStatus = async () => (await acme.get(`/agents/${agent_id}`)).body.data.attributes.online_status;
    expect(await onlineStatus()).toBe("away");
    expect((await acme.post("/ai/test", { model: "use-lite-en" })).status).toBe(200);
    expect((await acme.post("/ai/test", { api_key: "another" })).body.data[1]).toMatchObject({
      check: "model",
      ok: true,
    });
    model.failNext(401);
    expect((await acme.post("/ai/test", {})).body.data.at(-1)).toMatchObject({ ok: false, code: "key-refused" });
    expect((await ai(acme)).state_cause).toBe("model-refused");
    expect((await acme.post("/ai/test", { base_url: model.url, model: "scripted" })).status).toBe(200);
    expect((await ai(acme)).state).toBe("ready");
    expect(await onlineStatus()).toBe("online");
  });
});

describe("access", () => {
  test("reading and writing have scopes of their own", async () => {
    const reader = await team({ scopes: ["ai:read"] });
    expect((await reader.get("/ai")).status).toBe(200);
    expect((await reader.patch("/ai", { name: "Robin" })).status).toBe(403);
    expect((await reader.post("/ai/test", {})).status).toBe(403);
    const writer = await team({ scopes: ["ai:write"] });
    expect((await writer.get("/ai")).status).toBe(403);
    expect((await writer.patch("/ai", { name: "Robin" })).status).toBe(200);
    expect((await writer.get("/agents")).status).toBe(403);
  });

  test("no key, no settings", async () => {
    const acme = await team();
    const none = { "X-API-KEY": "fd_key_wrong" };
    expect((await acme.get("/ai", none)).status).toBe(401);
  });

  test("a team sees its own alone", async () => {
    const [acme, sams] = [await team(), await team()];
    await acme.patch("/ai", { ...server, api_key: KEY, instructions: "of acme" });
    expect(await ai(sams)).toMatchObject({ instructions: "", api_key_set: false });
    await sams.patch("/ai", { instructions: "of sam" });
    expect(await ai(acme)).toMatchObject({ instructions: "of acme" });
  });
});

test("its key is sealed again with a new sealing key", async () => {
  const acme = await team();
  await acme.patch("/ai", { ...server, api_key: KEY });
  const [fresh, old] = [randomBytes(32), randomBytes(32)];
  const row = await rowOf(acme);
  if (!row) throw new Error("It is set up.");
  const sealed = openVault(old).seal(KEY, aiKeyPlace(row));
  await query(storage, `UPDATE ai_settings SET api_key_sealed = NULL WHERE team_id <> '${acme.teamId}'`);
  await query(storage, `UPDATE ai_settings SET api_key_sealed = '${sealed}' WHERE team_id = '${acme.teamId}'`);
  for (const table of ["idempotency_keys", "jobs", "ai_runs"]) await query(storage, `DELETE FROM ${table}`);
  expect(await resealAll(storage, openVault(fresh, old))).toBe(1);
  const after = await rowOf(acme);
  expect(openVault(fresh).open(after?.api_key_sealed ?? "", aiKeyPlace(row))).toBe(KEY);
});
