/**
 * Reference row 34 over the whole contract: every place where an id goes, with every kind of id there is, another team's
 * and one's own of a wrong kind. (`tenants.test.ts` has lists, counts and searches.)
 */
import { type RestOperation, rest } from "@frontdesk/core/contract";
import { ids as exampleIds } from "@frontdesk/core/contract/examples";
import { type FurnishedTeam, finishDataRequests, furnishedTeam } from "@frontdesk/testing/furnished-team";
import { startScriptedModel } from "@frontdesk/testing/scripted-model";
import { dump, query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestAnswer, type TestTeam } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { type IdKind, idKindOf } from "../../fuzz/value-arbitraries.ts";

const model = await startScriptedModel();
afterAll(model.stop);
const server = await startTestApp({ AI_BASE_URL: model.url, AI_MODEL: "scripted" });
const { team, request, runtime, storage } = server;
const operations: readonly RestOperation[] = Object.values(rest);
/** No operation takes these, so they are as unknown everywhere. */
type Nowhere = "tag" | "custom field" | "team" | "event" | "api key" | "page visit";
type Ids = Record<IdKind | Nowhere, string>;

/** A team with one of everything, and all the ids of it. */
async function furnished(name: string): Promise<TestTeam & { ids: Ids }> {
  const acme = await furnishedTeam(server, name);
  const requests = await finishDataRequests(storage, acme, name);
  const first = async (table: string) =>
    (await query(storage, `SELECT id FROM ${table} WHERE team_id = '${acme.teamId}'`))[0]?.id as string;
  const nowhere = {
    tag: await first("tags"),
    "custom field": await first("custom_fields"),
    team: acme.teamId,
    event: await first("events"),
    "api key": await first("api_keys"),
    "page visit": await first("page_visits"),
  };
  return { ...acme, ids: { ...acme.ids, ...requests, ...nowhere } };
}

type Everything = TestTeam & { ids: Ids };
let both: Promise<[Everything, Everything]> | undefined;
let atFirst: string[] = [];

/** Acme and Sam's team, the same in all tests: what is asked of them is refused, or changes nothing. */
function acmeAndSams(): Promise<[Everything, Everything]> {
  both ??= oneAfterTheOther();
  return both;
}

/** A process erases for one team at a time, and each waits for the transactions of every database of the tests' PostgreSQL. */
async function oneAfterTheOther(): Promise<[Everything, Everything]> {
  const [acme, sams] = [await furnished("acme"), await furnished("sams")];
  atFirst = await rowsOf(acme.teamId, { everywhere: true });
  return [acme, sams];
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
async function ask(sams: Everything | FurnishedTeam, slot: Slot, id: string): Promise<TestAnswer> {
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
  const own: Partial<Ids> = sams.ids;
  for (const { where, name, kind } of slots.filter((one) => one.operation === operation)) {
    put(where, name, own[kind] ?? `no ${kind}`);
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

/** All that is stored of a team, and with `everywhere` also what names it in the rows of others. */
async function rowsOf(teamId: string, { everywhere = false } = {}): Promise<string[]> {
  const rows = (await dump(storage, everywhere ? undefined : teamId))
    .split(/(?<=\}),|\n/)
    .filter((row) => row.includes(teamId));
  // Without the table's brackets, which are at whatever row comes first and last.
  return rows.map((row) => row.replace(/"last_used_at":\w+|^[^{]+|\]$/g, "")).toSorted();
}

test("every operation with an id in its path or body is here, with every id that its example has", () => {
  const named = operations.filter(
    ({ path, body }) => /\{/.test(path) || /_id|Id\b|"widgets"/.test(JSON.stringify(body ?? {})),
  );
  expect(new Set(slots.map(({ operation }) => operation.id))).toEqual(new Set(named.map(({ id }) => id)));
  expect(slots.length).toBeGreaterThan(12);
  for (const { id, example } of operations) {
    const used = JSON.stringify([example.params, example.body]);
    const known = Object.values(exampleIds).filter((value) => used.includes(value));
    expect(slots.filter(({ operation }) => operation.id === id).length, id).toBeGreaterThanOrEqual(known.length);
  }
});

test.each(slots.map((slot) => [`${slot.operation.id}: ${slot.where}.${slot.name}`, slot] as const))(
  "%s: any id of another team, one's own of a wrong kind, and no id at all, is as an id that does not exist",
  async (_title, slot) => {
    const [acme, shared] = await acmeAndSams();
    // What names an unknown contact is accepted, as from a new one: that changes the team that sends it.
    const isAccepted = slot.operation.id === "sendVisitorMessage" && slot.name === "contact_id";
    const sams = isAccepted ? await furnished("sams") : shared;
    const before = await rowsOf(acme.teamId);
    expect(before.length).toBeGreaterThan(10);
    const unknown = await ask(sams, slot, runtime.newId());
    // Not by a limit, which would refuse anything.
    expect(isAccepted ? [200] : [403, 404, 422]).toContain(unknown.status);

    for (const [kind, id] of Object.entries(acme.ids)) {
      for (const written of kind === slot.kind ? [id, id.toUpperCase()] : [id]) {
        const answer = await ask(sams, slot, written);
        expect(comparable(answer), `acme's ${kind}`).toBe(comparable(unknown));
        expect(JSON.stringify(answer.body), `acme's ${kind}`).not.toMatch(/acme/i);
      }
    }
    for (const [kind, id] of [...Object.entries(sams.ids), ["nothing", "no-id-at-all"] as const]) {
      if (kind === slot.kind) continue;
      const answer = await ask(sams, slot, id);
      expect(comparable(answer), `a ${kind} of his own`).toBe(comparable(unknown));
    }
    // No row of Acme's was changed or added, in any table: no event, no message, no counter.
    expect(await rowsOf(acme.teamId)).toEqual(before);
    // The premise: with an id of one's own the request passes. What it changes is not of the team that all tests share.
    const own: Everything | FurnishedTeam =
      slot.operation.method === "GET" ? sams : await furnishedTeam(server, "sams");
    const ownId = (own.ids as Partial<Ids>)[slot.kind] ?? `no ${slot.kind}`;
    expect((await ask(own, slot, ownId)).status).toBeLessThan(300);
  },
);

test("of all these requests nothing is left that names the other team", async () => {
  const [acme] = await acmeAndSams();
  expect(await rowsOf(acme.teamId, { everywhere: true })).toEqual(atFirst);
});

test("the ids of another team, and its texts, find nothing in any list", async () => {
  const [acme, sams] = await acmeAndSams();
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
  const third = await furnished("acmetwo");
  await third.post("/conversations", { widget_id: third.widgetId, content: "One more" });
  const after = await Promise.all(lists.map((path) => sams.get(path)));
  expect(after.map(comparable)).toEqual(before.map(comparable));
});

test("another team's idempotency key is free, and its answer stays its own", async () => {
  const [acme, sams] = [await team(), await team()];
  const key = { "idempotency-key": "the same in both teams" };
  const hook = { endpoint_url: "https://a.test/hook", events: ["message.sent"] };
  const mine = await acme.post("/webhooks", hook, key);
  const theirs = await sams.post("/webhooks", hook, key);
  expect(theirs.status).toBe(201);
  expect(theirs.headers["idempotent-replayed"]).toBeUndefined();
  expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  expect(theirs.body.data.attributes[0].signing_secret).not.toBe(mine.body.data.attributes[0].signing_secret);
});
