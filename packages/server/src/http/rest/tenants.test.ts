/** Invariant 4, from outside: another team's data is treated as missing (decisions 24, 25, 68). */
import { type RestOperation, rest } from "@frontdesk/core/contract";
import { ids } from "@frontdesk/core/contract/examples";
import { robinJoins } from "@frontdesk/testing/assistant-at-work";
import { startTestApp, type TestAnswer, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { team, request, runtime } = await startTestApp();
const operations: readonly RestOperation[] = Object.values(rest);

interface Things {
  [what: string]: string;
  widget: string;
  contact: string;
  conversation: string;
  agent: string;
  webhook: string;
  delivery: string;
  assistant: string;
  article: string;
  message: string;
  erasure: string;
  export: string;
}

/** A team with one of everything; `name` is in all of its texts. */
async function furnished(name: string): Promise<TestTeam & { things: Things }> {
  const acme = await team();
  const { body: contact } = await acme.post("/contacts/initialize", {
    widgetId: acme.widgetId,
    name: `${name} visitor`,
    email: `${name}@visitor.test`,
    phone: name === "acme" ? "+4915112345678" : "+33655500000",
    message: { content: `${name} question`, urls: [`https://files.test/${name}`] },
    page_visited: [{ page: `https://${name}.test/`, date: "2026-11-20T08:00:00Z" }],
  });
  const { body: conversations } = await acme.get("/conversations/all");
  const { body: webhook } = await acme.post("/webhooks", {
    name: `${name} hook`,
    endpoint_url: `https://${name}.test/hook`,
    events: ["message.sent"],
  });
  const { body: delivery } = await acme.post(`/webhooks/${webhook.data.id}/test`);
  await acme.post(`/webhooks/${webhook.data.id}/rotate`);
  const asked = { question: `Where does ${name} ship to?`, answer: `${name} ships everywhere.` };
  const { body: article } = await acme.post("/articles", asked);
  await acme.put(`/contacts/${contact.data.id}/custom-data/plan`, { value: `${name} value` });
  await acme.put(`/contacts/${contact.data.id}/custom-data/${name}`, { value: "" });
  const conversation = `/conversations/${conversations.data[0].id}`;
  for (const tag of ["shipping", `${name} tag`]) await acme.post(`${conversation}/tags`, { name: tag });
  await acme.post(`${conversation}/assignments`, { agent_id: acme.ada.id });
  const other = await acme.post("/contacts/initialize", { widgetId: acme.widgetId, name: `${name} to erase` });
  const { body: erasure } = await acme.delete(`/contacts/${other.body.data.id}`);
  const { body: exported } = await acme.post(`/contacts/${contact.data.id}/export`);
  const { body: messages } = await acme.get(`${conversation}/messages`);
  const things: Things = {
    widget: acme.widgetId,
    contact: contact.data.id,
    conversation: conversations.data[0].id,
    agent: acme.ada.id,
    webhook: webhook.data.id,
    delivery: delivery.data.id,
    assistant: (await robinJoins(acme, { name: `${name} helper` })).id,
    article: article.data.id,
    message: messages.data[0].id,
    erasure: erasure.data.id,
    export: exported.data.id,
  };
  return { ...acme, things };
}

/** The kind of resource that each id of a request names. */
const kinds: Record<string, keyof Things> = {
  widget_id: "widget",
  widgetId: "widget",
  widget: "widget",
  contact_id: "contact",
  conversation_id: "conversation",
  agent_id: "agent",
  webhook: "webhook",
  delivery: "delivery",
  assistant: "assistant",
  article: "article",
  widgets: "widget",
  id: "contact",
};
/** What `id` is in other paths. */
const kindsBelow: Record<string, keyof Things> = {
  agents: "agent",
  messages: "message",
  erasures: "erasure",
  exports: "export",
};

interface Slot {
  where: "params" | "body";
  name: string;
  kind: keyof Things;
}

/** Every place of an operation where an id goes. */
function slots({ params, body, path }: RestOperation): Slot[] {
  const below = kindsBelow[path.split("/")[1] ?? ""];
  return (["params", "body"] as const).flatMap((where) =>
    Object.keys((where === "params" ? params : body)?.properties ?? {})
      .filter((name) => name in kinds)
      .map((name) => ({ where, name, kind: (name === "id" && below) || (kinds[name] as keyof Things) })),
  );
}

/** The operation's example as Sam sends it, with his own ids except one. */
async function send(sams: TestTeam & { things: Things }, operation: RestOperation, slot: Slot, id: string) {
  const values = {
    params: { ...operation.example.params } as Record<string, string>,
    body: { ...operation.example.body } as Record<string, unknown>,
  };
  const put = (where: Slot["where"], name: string, value: string) => {
    if (where === "params") values.params[name] = value;
    else if (name !== "widgets") values.body[name] = value;
    else values.body[name] = operation.id === "updatePrivacy" ? [{ widget_id: value, files_after_days: 30 }] : [value];
  };
  for (const { where, name, kind } of slots(operation)) put(where, name, sams.things[kind] as string);
  put(slot.where, slot.name, id);
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(values.params[name] ?? ""));
  return request(operation.method, path, {
    headers: { "x-api-key": sams.apiKey },
    ...(operation.body && { body: values.body }),
  });
}

/** An answer without what differs in each: ids and times. */
function masked({ status, headers, body }: TestAnswer): unknown {
  const text = JSON.stringify({ status, type: headers["content-type"], length: headers["content-length"], body });
  return text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, "ID");
}

const withIds = operations.flatMap((operation) =>
  slots(operation).map((slot) => [`${operation.id}: ${slot.where}.${slot.name}`, operation, slot] as const),
);

test("every id that an operation takes is tried here", () => {
  for (const { id, example, params, body } of operations) {
    const used = JSON.stringify([example.params, example.body]);
    const known = Object.values(ids).filter((value) => used.includes(value));
    expect(withIds.filter(([, operation]) => operation.id === id).length, id).toBeGreaterThanOrEqual(known.length);
    const named = Object.keys({ ...params?.properties, ...body?.properties }).filter((name) =>
      /(^|_)id$|Id$/.test(name),
    );
    expect(
      named.every((name) => name in kinds),
      id,
    ).toBe(true);
  }
});

test.each(withIds)(
  "%s answers for another team's id as for one that does not exist, and for no id",
  async (_title, operation, slot) => {
    const [acme, sams] = [await furnished("acme"), await furnished("sams")];
    const before = await acme.events();
    const foreign = await send(sams, operation, slot, acme.things[slot.kind] as string);
    const capitals = await send(sams, operation, slot, (acme.things[slot.kind] as string).toUpperCase());
    const unknown = await send(sams, operation, slot, runtime.newId());
    const malformed = await send(sams, operation, slot, "no-id-at-all");

    expect(masked(foreign)).toEqual(masked(unknown));
    expect(masked(capitals)).toEqual(masked(unknown));
    expect(masked(malformed)).toEqual(masked(unknown));
    expect(JSON.stringify(foreign.body)).not.toMatch(/acme/i);
    expect(await acme.events()).toEqual(before);

    // The premise: with an id of his own the request passes.
    const own = await send(sams, operation, slot, sams.things[slot.kind] as string);
    expect(own.status).toBeLessThan(300);
  },
);

test("nothing of one team is in another's lists, counts or searches", async () => {
  const [acme, sams] = [await furnished("acme"), await furnished("sams")];
  const conversation = `/conversations/${sams.things.conversation}/messages`;
  const fields = "include_fields=contact_name,latest_message,agents,contact_id";
  const lists = [
    "/widgets",
    "/contacts?limit=100",
    `/conversations/all?limit=100&${fields}`,
    conversation,
    "/agents",
    "/webhooks",
    "/assistants",
    "/articles",
    "/articles?search=ship",
    "/articles?status=published",
    "/tags",
    "/custom-fields",
    `/contacts/${sams.things.contact}/custom-data`,
  ];
  // Lists below an id are tried with another team's id above.
  const named = new Set(lists.map((path) => path.split("?")[0]));
  const all = operations.filter(
    ({ method, path, query }) => method === "GET" && query && "limit" in query.properties && !path.includes("{"),
  );
  expect(all.length).toBeGreaterThan(7);
  expect(all.map(({ path }) => path).filter((path) => !named.has(path))).toEqual([]);
  for (const path of lists) {
    const { status, body } = await sams.get(path);
    expect(status).toBe(200);
    // Tags and custom data: one that both teams have, and one of his own.
    const rows = /tags|custom/.test(path) ? 2 : 1;
    expect(body.meta.pagination.total, path).toBe(rows);
    expect(body.data).toHaveLength(rows);
    const text = JSON.stringify(body);
    for (const id of [acme.teamId, ...Object.values(acme.things)]) expect(text).not.toContain(id);
    expect(text.replaceAll(sams.ada.email, "")).not.toMatch(/acme/i);
  }
  for (const search of ["acme", "ac", "acme visitor", "acme@visitor.test", "+49151123", "15", acme.things.contact]) {
    const { body } = await sams.get(`/contacts?search=${encodeURIComponent(search)}`);
    expect({ search, total: body.meta.pagination.total, data: body.data }).toEqual({ search, total: 0, data: [] });
    const own = await acme.get(`/contacts?search=${encodeURIComponent(search)}`);
    expect(own.body.data).toHaveLength(1);
  }
  expect((await sams.get(`${conversation}?search=acme`)).body.data).toEqual([]);
  expect((await sams.get("/articles?search=acme")).body.data).toEqual([]);
  expect((await acme.get("/articles?search=acme")).body.data).toHaveLength(1);
  expect((await sams.get(`/agents?email=${acme.ada.email}`)).body).toMatchObject({
    data: [],
    meta: { pagination: { total: 0 } },
  });
});

test("the same e-mail in two teams is two contacts", async () => {
  const [acme, sams] = [await furnished("acme"), await furnished("sams")];
  const write = (to: TestTeam) =>
    to.post("/conversations", { widget_id: to.widgetId, content: "Hi", email: "acme@visitor.test" });
  const [mine, theirs] = [await write(acme), await write(sams)];
  expect(mine.body.data.attributes.contact.id).toBe(acme.things.contact);
  expect(theirs.body.data.attributes.contact.id).not.toBe(acme.things.contact);
  expect(theirs.body.data.attributes.contact.name).toBeNull();
});
