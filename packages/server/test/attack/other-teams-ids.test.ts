/**
 * Reference row 34 over the whole contract: every place where an id goes, with every kind of id there is, another team's
 * and one's own of a wrong kind. (`tenants.test.ts` has lists, counts and searches.)
 */
import { type RestOperation, rest } from "@frontdesk/core/contract";
import { robinJoins } from "@frontdesk/testing/assistant-at-work";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestAnswer, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { type IdKind, idKindOf } from "../../fuzz/value-arbitraries.ts";

const { team, request, runtime, storage } = await startTestApp();
const operations: readonly RestOperation[] = Object.values(rest);
/** No operation takes these, so they are as unknown everywhere. */
type Nowhere = "tag" | "custom field" | "team" | "event" | "api key" | "page visit";
type Ids = Record<IdKind | Nowhere, string>;

/** A team with one of everything, and all the ids of it. */
async function furnished(name: string): Promise<TestTeam & { ids: Ids }> {
  const acme = await team();
  const made = await acme.post("/contacts/initialize", {
    widgetId: acme.widgetId,
    name: `${name} visitor`,
    email: `${name}@visitor.test`,
    message: { content: `${name} question`, urls: [`https://files.test/${name}`] },
    page_visited: [{ page: `https://${name}.test/`, date: "2026-11-20T08:00:00Z" }],
  });
  const conversation = (await acme.get("/conversations/all")).body.data[0].id as string;
  const reply = await acme.post("/messages", { conversation_id: conversation, content: `${name} reply` });
  const hook = { name: `${name} hook`, endpoint_url: `https://${name}.test/hook`, events: ["message.sent"] };
  const webhook = await acme.post("/webhooks", hook);
  const delivery = await acme.post(`/webhooks/${webhook.body.data.id}/test`);
  await acme.post(`/webhooks/${webhook.body.data.id}/rotate`);
  const asked = { question: `Where does ${name} ship to?`, answer: `${name} ships everywhere.` };
  const article = await acme.post("/articles", asked);
  const tag = await acme.post(`/conversations/${conversation}/tags`, { name: "shipping" });
  await acme.post(`/conversations/${conversation}/assignments`, { agent_id: acme.ada.id });
  const plan = await acme.put(`/contacts/${made.body.data.id}/custom-data/plan`, { value: `${name} value` });
  const other = await acme.post("/contacts/initialize", { widgetId: acme.widgetId, name: `${name} to erase` });
  const erasure = await acme.delete(`/contacts/${other.body.data.id}`);
  const exported = await acme.post(`/contacts/${made.body.data.id}/export`);
  // Their jobs change rows of the team later.
  for (const path of [`/erasures/${erasure.body.data.id}`, `/exports/${exported.body.data.id}`]) {
    await expect.poll(async () => (await acme.get(path)).body.data.attributes.state).toBe("done");
  }
  const first = async (table: string) =>
    (await query(storage, `SELECT * FROM ${table} WHERE team_id = '${acme.teamId}'`))[0] as Record<string, string>;
  const ids: Ids = {
    widget: acme.widgetId,
    contact: made.body.data.id,
    conversation,
    agent: acme.ada.id,
    webhook: webhook.body.data.id,
    delivery: delivery.body.data.id,
    assistant: (await robinJoins(acme, { name: `${name} helper` })).id,
    article: article.body.data.id,
    message: reply.body.data.id,
    erasure: erasure.body.data.id,
    export: exported.body.data.id,
    tag: tag.body.data.id,
    "custom field": plan.body.data.id,
    team: acme.teamId,
    event: (await first("events")).id as string,
    "api key": (await first("api_keys")).id as string,
    "page visit": (await first("page_visits")).id as string,
  };
  return { ...acme, ids };
}

interface Slot {
  operation: RestOperation;
  where: "params" | "body";
  name: string;
  kind: IdKind;
}

const slots: Slot[] = operations.flatMap((operation) =>
  (["params", "body"] as const).flatMap((where) =>
    Object.keys(operation[where]?.properties ?? {}).flatMap((name) => {
      const kind = idKindOf(name, operation.path);
      return kind ? [{ operation, where, name, kind }] : [];
    }),
  ),
);

/** The operation's example with Sam's own ids in it, but for one. */
async function ask(sams: TestTeam & { ids: Ids }, slot: Slot, id: string): Promise<TestAnswer> {
  const { operation } = slot;
  const values = {
    params: { ...operation.example.params } as Record<string, string>,
    body: { ...operation.example.body } as Record<string, unknown>,
  };
  const put = (where: Slot["where"], name: string, value: string) => {
    if (where === "params") values.params[name] = value;
    else if (name !== "widgets") values.body[name] = value;
    else values.body[name] = operation.id === "updatePrivacy" ? [{ widget_id: value, files_after_days: 30 }] : [value];
  };
  for (const { where, name, kind } of slots.filter((one) => one.operation === operation)) {
    put(where, name, sams.ids[kind]);
  }
  put(slot.where, slot.name, id);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(values.params[name] ?? ""));
  return request(operation.method, path, {
    headers: { "x-api-key": sams.apiKey },
    ...(operation.body && { body: values.body }),
  });
}

/** Status, every header and the body, without what is new in each answer. */
function comparable({ status, headers, body }: TestAnswer): string {
  const { "x-request-id": _id, date: _date, ...kept } = headers;
  const told = Object.entries(kept).filter(([name]) => !name.startsWith("x-ratelimit-"));
  const text = JSON.stringify({ status, headers: told, body });
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID");
}

/** All that is stored of a team. */
async function rowsOf(teamId: string): Promise<string[]> {
  const rows = (await dump(storage)).split(/(?<=\}),|\n/).filter((row) => row.includes(teamId));
  // Without the table's brackets, which are at whatever row comes first and last.
  return rows.map((row) => row.replace(/"last_used_at":\w+|^[^{]+|\]$/g, "")).toSorted();
}

test("every operation with an id in its path or body is here", () => {
  const named = operations.filter(({ path, body }) => /\{/.test(path) || /_id|Id\b/.test(JSON.stringify(body ?? {})));
  expect(new Set(slots.map(({ operation }) => operation.id))).toEqual(new Set(named.map(({ id }) => id)));
  expect(slots.length).toBeGreaterThan(12);
});

test.each(slots.map((slot) => [`${slot.operation.id}: ${slot.where}.${slot.name}`, slot] as const))(
  "%s: any id of another team, and one's own of a wrong kind, is as an id that does not exist",
  async (_title, slot) => {
    const [acme, sams] = [await furnished("acme"), await furnished("sams")];
    const before = await rowsOf(acme.teamId);
    expect(before.length).toBeGreaterThan(10);
    const unknown = await ask(sams, slot, runtime.newId());

    for (const [kind, id] of Object.entries(acme.ids)) {
      const answer = await ask(sams, slot, id);
      expect(comparable(answer), `acme's ${kind}`).toBe(comparable(unknown));
      expect(JSON.stringify(answer.body), `acme's ${kind}`).not.toMatch(/acme/i);
    }
    for (const [kind, id] of Object.entries(sams.ids)) {
      if (kind === slot.kind) continue;
      const answer = await ask(sams, slot, id);
      expect(comparable(answer), `a ${kind} of his own`).toBe(comparable(unknown));
    }
    // No row of Acme's was changed or added, in any table: no event, no message, no counter.
    expect(await rowsOf(acme.teamId)).toEqual(before);
    // The premise: with an id of his own the request passes.
    expect((await ask(sams, slot, sams.ids[slot.kind])).status).toBeLessThan(300);
  },
);

test("the ids of another team, and its texts, find nothing in any list", async () => {
  const [acme, sams] = [await furnished("acme"), await furnished("sams")];
  for (const [kind, id] of Object.entries(acme.ids)) {
    for (const path of ["/contacts?", "/articles?", `/conversations/${sams.ids.conversation}/messages?`]) {
      const { body } = await sams.get(`${path}search=${id}`);
      expect({ kind, data: body.data, total: body.meta.pagination.total }).toEqual({ kind, data: [], total: 0 });
      expect(body.links.next).toBeNull();
    }
  }
  const lists = [
    "/widgets",
    "/contacts",
    "/conversations/all",
    "/agents",
    "/webhooks",
    "/assistants",
    "/articles",
    "/tags",
  ];
  const before = await Promise.all(lists.map((path) => sams.get(path)));
  await furnished("acmetwo");
  await acme.post("/conversations", { widget_id: acme.widgetId, content: "One more" });
  const after = await Promise.all(lists.map((path) => sams.get(path)));
  expect(after.map(comparable)).toEqual(before.map(comparable));
});

test("another team's idempotency key is free, and its answer stays its own", async () => {
  const [acme, sams] = [await furnished("acme"), await furnished("sams")];
  const key = { "idempotency-key": "the same in both teams" };
  const hook = { endpoint_url: "https://a.test/hook", events: ["message.sent"] };
  const mine = await acme.post("/webhooks", hook, key);
  const theirs = await sams.post("/webhooks", hook, key);
  expect(theirs.status).toBe(201);
  expect(theirs.headers["idempotent-replayed"]).toBeUndefined();
  expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  expect(theirs.body.data.attributes[0].signing_secret).not.toBe(mine.body.data.attributes[0].signing_secret);
});
