/**
 * For any history: what a run erases is exactly what is older than the rules, and not on hold. The expected is computed from the rows,
 * by other means than indexes and statements of the product.
 */
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { adaReplies, adaSets, veraArrives, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { seeded } from "../../test/attack/kill-while-writing.ts";
import { notePresence } from "../contacts/note-presence.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { retain } from "./apply-retention.ts";
import type { EraseParts } from "./erase-job.ts";

const { app, team, clock, storage, runtime } = await startTestApp();
const parts: EraseParts = {
  ...{ storage, vault: runtime.vault, perform: app.perform },
  record: () => Promise.resolve(),
  removeFiles: () => Promise.resolve(),
};
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Row = Record<string, unknown>;
interface Rules {
  erase: number | null;
  files: number | null;
  visits: number | null;
}

const rows = (acme: TestTeam, text: string): Promise<Row[]> =>
  query(storage, text.replaceAll("$team", `'${acme.teamId}'`));
const sorted = (all: readonly unknown[]): string[] => all.map(String).toSorted();

/** What there is of a team, by its tables. */
async function tablesOf(acme: TestTeam) {
  const [conversations, contacts, attachments, visits, holds] = await Promise.all([
    rows(acme, "SELECT * FROM conversations WHERE team_id = $team"),
    rows(acme, "SELECT * FROM contacts WHERE team_id = $team"),
    rows(
      acme,
      `SELECT attachments.url, messages.created_at, messages.contact_id, conversations.id AS conversation_id, conversations.account_id
        FROM attachments JOIN messages ON messages.team_id = attachments.team_id AND messages.id = attachments.message_id
        JOIN conversations ON conversations.team_id = messages.team_id AND conversations.id = messages.conversation_id
        WHERE attachments.team_id = $team`,
    ),
    rows(acme, "SELECT * FROM page_visits WHERE team_id = $team"),
    rows(acme, "SELECT * FROM holds WHERE team_id = $team"),
  ]);
  return { conversations, contacts, attachments, visits, holds };
}

/** What has to be left after a run. */
function expectedAfter(
  { conversations, contacts, attachments, visits, holds }: Awaited<ReturnType<typeof tablesOf>>,
  rulesOf: (widgetId: unknown) => Rules,
) {
  const now = clock.now();
  const held = new Set(
    holds.filter(({ until }) => until === null || Number(until) > now).map(({ contact_id }) => contact_id),
  );
  const isOld = (at: unknown, days: number | null) => days !== null && Number(at) < now - days * DAY;
  const leftConversations = conversations.filter((row) => {
    const quiet = Math.max(Number(row.last_message_at), Number(row.resolved_at ?? 0));
    const isDue = Number(row.is_resolved) === 1 && isOld(quiet, rulesOf(row.account_id).erase);
    return !isDue || held.has(row.contact_id);
  });
  const withConversation = new Set(leftConversations.map(({ contact_id }) => contact_id));
  const leftContacts = contacts.filter(
    (row) =>
      withConversation.has(row.id) || held.has(row.id) || !isOld(row.last_active_at, rulesOf(row.widget_id).erase),
  );
  const contactIds = new Set(leftContacts.map(({ id }) => id));
  const conversationIds = new Set(leftConversations.map(({ id }) => id));
  const widgetOf = new Map(contacts.map((row) => [row.id, row.widget_id]));
  return {
    conversations: sorted([...conversationIds]),
    contacts: sorted([...contactIds]),
    files: sorted(
      attachments
        .filter(
          (row) =>
            conversationIds.has(row.conversation_id) &&
            (held.has(row.contact_id) || !isOld(row.created_at, rulesOf(row.account_id).files)),
        )
        .map(({ url }) => url),
    ),
    visits: sorted(
      visits
        .filter(
          (row) =>
            contactIds.has(row.contact_id) &&
            (held.has(row.contact_id) || !isOld(row.visited_at, rulesOf(widgetOf.get(row.contact_id)).visits)),
        )
        .map(({ id }) => id),
    ),
  };
}

async function whatIsLeft(acme: TestTeam) {
  const { conversations, contacts, attachments, visits } = await tablesOf(acme);
  return {
    conversations: sorted(conversations.map(({ id }) => id)),
    contacts: sorted(contacts.map(({ id }) => id)),
    files: sorted(attachments.map(({ url }) => url)),
    visits: sorted(visits.map(({ id }) => id)),
  };
}

/** The stored totals, and a recount of each. */
async function totalsOf(acme: TestTeam): Promise<{ stored: Row; counted: Row }> {
  const [stored = {}] = await rows(
    acme,
    "SELECT contacts, conversations, open_conversations FROM team_counters WHERE team_id = $team",
  );
  const lists = await rows(
    acme,
    "SELECT list, sum(count) AS count FROM list_counts WHERE team_id = $team GROUP BY list",
  );
  const ofList = Object.fromEntries(lists.map(({ list, count }) => [`list ${list}`, Number(count)]));
  const [counted = {}] = await rows(
    acme,
    `SELECT (SELECT count(*) FROM contacts WHERE team_id = $team) AS contacts,
      (SELECT count(*) FROM conversations WHERE team_id = $team) AS conversations,
      (SELECT count(*) FROM conversations WHERE team_id = $team AND is_resolved = 0) AS open_conversations`,
  );
  const { contacts, conversations, open_conversations: open } = counted as Record<string, number>;
  const numbers = (row: Row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
  const zero = { "list contacts": 0, "list open-conversations": 0, "list resolved-conversations": 0 };
  return {
    stored: { ...numbers(stored), ...zero, ...ofList },
    counted: {
      ...numbers(counted),
      "list contacts": Number(contacts),
      "list open-conversations": Number(open),
      "list resolved-conversations": Number(conversations) - Number(open),
    },
  };
}

const SEEDS = [1, 2, 3, 4];
const STEPS = 60;

test.each(SEEDS)("exactly what is old enough and not on hold goes, and nothing of others (seed %d)", async (seed) => {
  const random = seeded(seed);
  const below = (n: number) => Math.floor(random() * n);
  const one = <T>(all: readonly T[]): T | undefined => all[below(all.length)];
  const acme = await team();
  const others = await team();
  const blog = await app.perform(acme.actor, createWidget, { name: "Blog" });
  await veraWrites(others);
  const rulesOfAcme: Rules = { erase: 3 + below(6), files: 2 + below(10), visits: 1 + below(10) };
  const rulesOfBlog: Rules = { ...rulesOfAcme, erase: below(2) === 0 ? null : 3 + below(20) };
  await acme.patch("/privacy", {
    erase_after_days: rulesOfAcme.erase,
    files_after_days: rulesOfAcme.files,
    page_visits_after_days: rulesOfAcme.visits,
    widgets: [{ widget_id: blog.id, erase_after_days: rulesOfBlog.erase }],
  });
  clock.advance(7 * DAY);
  const rulesOf = (widgetId: unknown) => (widgetId === blog.id ? rulesOfBlog : rulesOfAcme);
  const ofOthers = JSON.stringify(await tablesOf(others));

  let number = 0;
  let erased = 0;
  const ids = async (table: "contacts" | "conversations") =>
    (await rows(acme, `SELECT id FROM ${table} WHERE team_id = $team ORDER BY id`)).map(({ id }) => String(id));
  const steps: (() => Promise<unknown>)[] = [
    async () => {
      number += 1;
      await veraWrites(acme, { widget_id: one([acme.widgetId, blog.id]), email: `vera${number}@acme.test` });
    },
    async () => {
      const contactId = one(await ids("contacts"));
      if (contactId) await veraWrites(acme, { contact_id: contactId, widget_id: one([acme.widgetId, blog.id]) });
    },
    () => veraArrives(acme, { widgetId: one([acme.widgetId, blog.id]) }),
    async () => {
      const id = one(await ids("conversations"));
      number += 1;
      const attachments = [{ url: `https://files.acme.test/${seed}-${number}.png` }];
      if (id) await adaReplies(acme, id, { attachments, type: one(["message", "note"]) }).catch(() => {});
    },
    async () => {
      const id = one(await ids("conversations"));
      if (id) await adaSets(acme, id, "resolved");
    },
    async () => {
      const id = one(await ids("conversations"));
      if (id) await adaSets(acme, id, one(["resolved", "resolved", "open"] as const) ?? "open");
    },
    async () => {
      const contactId = one(await ids("contacts"));
      number += 1;
      const pages = contactId ? [{ contactId, page: `https://acme.test/${number}` }] : [];
      await app.perform(acme.actor, notePresence, { contacts: [], agents: [], pages });
    },
    async () => {
      const id = one(await ids("contacts"));
      const until = below(2) === 0 ? null : new Date(clock.now() + below(20) * DAY).toISOString();
      if (id) await acme.post(`/contacts/${id}/hold`, { reason: "Court case", until });
    },
    async () => {
      const [hold] = (await tablesOf(acme)).holds;
      if (hold) await acme.delete(`/contacts/${hold.contact_id}/hold`);
    },
    async () => clock.advance(below(4 * 24) * HOUR),
    async () => clock.advance(below(4 * 24) * HOUR),
    async () => {
      const before = await tablesOf(acme);
      const expected = expectedAfter(before, rulesOf);
      const { body } = await acme.get("/privacy/preview");
      expect(body.data.attributes).toMatchObject({
        conversations: before.conversations.length - expected.conversations.length,
        contacts: before.contacts.length - expected.contacts.length,
      });
      await retain(parts, acme);
      expect(await whatIsLeft(acme)).toEqual(expected);
      const { stored, counted } = await totalsOf(acme);
      expect(stored).toEqual(counted);
      erased += before.conversations.length - expected.conversations.length;
    },
  ];
  for (let step = 0; step < STEPS; step += 1) await one(steps)?.();
  // One that is resolved and on no hold, in any case.
  await adaSets(acme, (await veraWrites(acme, { email: "last@acme.test" })).conversationId, "resolved");
  clock.advance(30 * DAY);
  await steps.at(-1)?.();
  // The premise: there was something to erase, and something to keep.
  expect(erased).toBeGreaterThan(0);
  expect(JSON.stringify(await tablesOf(others))).toBe(ofOthers);
});
