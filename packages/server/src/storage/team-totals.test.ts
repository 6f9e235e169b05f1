/** Architecture, 4 "Totals of lists are kept, not counted", and invariant 5: the log has no gap. */

import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestAnswer, type TestTeam } from "@frontdesk/testing/test-kit";
import fc from "fast-check";
import { expect, test } from "vitest";

const { team, storage, clock } = await startTestApp();
const DAY_MS = 24 * 60 * 60 * 1_000;

/** What a caller may do next; `pick` chooses among the rows that exist. */
const act = fc.record({
  what: fc.constantFrom(
    "new visitor",
    "visitor with a message",
    "visitor by e-mail",
    "known visitor",
    "reply",
    "note",
    "resolve",
    "reopen",
    "new subscription",
    "remove subscription",
    "invite",
    "invite somebody twice",
    "unknown widget",
    "unknown conversation",
    "unknown agent",
    "nothing to say",
  ),
  pick: fc.nat(),
});
type Act = typeof act extends fc.Arbitrary<infer One> ? One : never;

/** The ids that a list shows at present. */
async function idsIn(acme: TestTeam, path: string): Promise<string[]> {
  return (await acme.get(path)).body.data.map(({ id }: { id: string }) => id);
}

async function perform(acme: TestTeam, { what, pick }: Act): Promise<TestAnswer | undefined> {
  const chosen = async (path: string) => {
    const ids = await idsIn(acme, path);
    return ids[pick % ids.length];
  };
  const visitor = { widget_id: acme.widgetId, content: `Message ${pick}` };
  const conversation = () => chosen("/conversations/all?limit=100");
  switch (what) {
    case "new visitor":
      return acme.post("/contacts/initialize", { widgetId: acme.widgetId });
    case "visitor with a message":
      return acme.post("/contacts/initialize", { widgetId: acme.widgetId, message: { content: "Hi", urls: [] } });
    case "visitor by e-mail":
      return acme.post("/conversations", { ...visitor, email: `vera${pick % 3}@visitor.test` });
    case "known visitor":
      return acme.post("/conversations", { ...visitor, contact_id: await chosen("/contacts?limit=100") });
    case "reply":
    case "note": {
      const conversation_id = await conversation();
      if (!conversation_id) return undefined;
      const type = what === "note" ? "note" : "message";
      return acme.post("/messages", { conversation_id, content: "Hello", type });
    }
    case "resolve":
    case "reopen": {
      const id = await conversation();
      return id === undefined
        ? undefined
        : acme.post(`/conversations/${id}/resolve`, { status: what === "resolve" ? "resolved" : "open" });
    }
    case "new subscription":
      return acme.post("/webhooks", { endpoint_url: "https://a.test/hook", events: ["message.sent"] });
    case "remove subscription": {
      const id = await chosen("/webhooks");
      return id === undefined ? undefined : acme.delete(`/webhooks/${id}`);
    }
    case "invite":
      return acme.post("/agents/invite", { agents: [`agent${pick % 5}@acme.test`, `other${pick % 7}@acme.test`] });
    case "invite somebody twice":
      return acme.post("/agents/invite", { agents: ["twice@acme.test", "twice@acme.test"] });
    case "unknown widget":
      return acme.post("/conversations", { ...visitor, widget_id: acme.teamId });
    case "unknown conversation":
      return acme.post("/messages", { conversation_id: acme.teamId, content: "Hello" });
    case "unknown agent":
      return acme.post("/messages", { conversation_id: await conversation(), content: "Hi", agent_id: acme.teamId });
    case "nothing to say":
      return acme.post("/messages", { conversation_id: await conversation(), content: "" });
    default:
      throw new Error(what);
  }
}

async function expectTotalsRight(acme: TestTeam): Promise<void> {
  const [stored] = await query(storage, `SELECT * FROM team_counters WHERE team_id = '${acme.teamId}'`);
  for (const table of ["contacts", "conversations", "agents", "widgets", "webhooks"]) {
    const [row] = await query(storage, `SELECT count(*) AS n FROM ${table} WHERE team_id = '${acme.teamId}'`);
    expect({ table, total: stored?.[table] }).toEqual({ table, total: row?.n });
    const list = await acme.get(table === "conversations" ? "/conversations/all" : `/${table}`);
    expect(list.body.meta.pagination.total).toBe(row?.n);
  }
  const inTeam = `team_id = '${acme.teamId}'`;
  const [open] = await query(storage, `SELECT count(*) AS n FROM conversations WHERE ${inTeam} AND is_resolved = 0`);
  expect(stored?.open_conversations).toBe(open?.n);
  const periods = await query(storage, `SELECT list, period, count FROM list_counts WHERE ${inTeam} AND count <> 0`);
  const counted = await query(
    storage,
    `SELECT list, period, count(*) AS count FROM (
       SELECT 'contacts' AS list, last_active_at / 67108864 AS period FROM contacts WHERE ${inTeam}
       UNION ALL SELECT CASE is_resolved WHEN 0 THEN 'open-conversations' ELSE 'resolved-conversations' END,
         last_message_at / 67108864 FROM conversations WHERE ${inTeam}
     ) AS dated GROUP BY list, period`,
  );
  const sorted = (rows: Record<string, unknown>[]) => rows.map((row) => JSON.stringify(row)).sort();
  expect(sorted(periods)).toEqual(sorted(counted));

  const events = await acme.events();
  expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
  expect(stored?.event_number).toBe(events.length);

  const conversations = await query(
    storage,
    `SELECT c.id, c.message_count, c.last_sort_number, c.last_message_number, count(m.id) AS stored,
       max(m.sort_number) AS highest, count(DISTINCT m.sort_number) AS numbers
     FROM conversations c LEFT JOIN messages m ON m.team_id = c.team_id AND m.conversation_id = c.id
     WHERE c.team_id = '${acme.teamId}' GROUP BY c.team_id, c.id`,
  );
  for (const row of conversations) {
    expect(row).toMatchObject({ message_count: row.stored, last_sort_number: row.highest, highest: row.numbers });
    const list = await acme.get(`/conversations/${row.id}/messages`);
    expect(list.body.meta.pagination.total).toBe(row.stored);
  }
  const told = (name: string) => events.filter((event) => event.name === name).length;
  expect(stored?.webhooks).toBe(told("webhook.created") - told("webhook.deleted"));
}

test("after any run of operations, failing ones among them, the stored totals are what counting gives", async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { minLength: 1, maxLength: 8 }), { maxLength: 8 }), async (rounds) => {
      const acme = await team();
      for (const round of rounds) {
        // Those of one round at the same time.
        clock.advance(DAY_MS);
        const answers = await Promise.all(round.map((one) => perform(acme, one)));
        for (const answer of answers) if (answer) statuses.add(answer.status);
      }
      await expectTotalsRight(acme);
    }),
    { numRuns: 15 },
  );
  // 403: a subscription that two of a round remove.
  expect([...statuses].filter((status) => ![200, 201, 403, 404, 422].includes(status))).toEqual([]);
  expect(statuses.has(200) && statuses.has(422) && statuses.has(404)).toBe(true);
});
