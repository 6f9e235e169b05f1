import { randomBytes } from "node:crypto";
import { countryOfTimeZone } from "@frontdesk/core/domain/country";
import { everyRow } from "@frontdesk/testing/backups";
import { dump, query } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { passwordFits } from "../access/password.ts";
import { openVault } from "../access/vault.ts";
import { silent } from "../progress.ts";
import { createRuntime } from "../runtime.ts";
import type { Storage } from "../storage/database.ts";
import { conversations } from "./conversations/index.ts";
import { mails } from "./mails.ts";
import { makeDemo } from "./make-demo.ts";

const DAY_MS = 86_400_000;
/** Midnight: the day that ends here has only just begun for what is placed by the day. */
const END = Date.parse("2026-11-21T00:00:00.000Z");
const runtime = createRuntime(openVault(randomBytes(32)));
const [one, two, three] = [await openTestStorage(), await openTestStorage(), await openTestStorage()];
for (const { storage } of [one, two, three]) await storage.migrate();
const fill = (storage: Storage, seed = 1) => makeDemo(storage, runtime, { endsAt: END, seed, progress: silent });
const started = process.threadCpuUsage();
const demo = await fill(one.storage);
const { user, system } = process.threadCpuUsage(started);
const seconds = (user + system) / 1_000_000;

test("it takes less than 5 seconds of the processor's time", () => {
  expect(seconds).toBeLessThan(5);
});

test("the demo is a month of conversations in ten languages, with the counts that it reports", async () => {
  const threads = conversations.length + mails.filter(({ answers }) => !answers).length;
  expect(demo).toMatchObject({ agents: 4, contacts: threads, conversations: threads });
  expect(demo.messages).toBeGreaterThan(450);
  const [counts] = await query(
    one.storage,
    `SELECT (SELECT count(*) FROM agents WHERE account_id IS NULL) AS agents, (SELECT count(*) FROM contacts) AS contacts,
      (SELECT count(*) FROM conversations) AS conversations, (SELECT count(*) FROM messages) AS messages,
      (SELECT count(*) FROM page_visits) AS visits, (SELECT count(*) FROM messages WHERE type = 'note') AS notes,
      (SELECT count(*) FROM conversations WHERE is_resolved = 1) AS resolved,
      (SELECT count(*) FROM conversations WHERE is_resolved = 0) AS open,
      (SELECT count(*) FROM conversations WHERE unread_messages > 0) AS unread,
      (SELECT count(*) FROM conversations WHERE rating IS NOT NULL) AS rated,
      (SELECT count(*) FROM conversations WHERE rating_comment IS NOT NULL) AS commented,
      (SELECT count(*) FROM conversations WHERE team_seen_number = last_sort_number) AS read,
      (SELECT count(*) FROM conversations WHERE visitor_seen_number < last_sort_number) AS unseen,
      (SELECT count(*) FROM attachments) AS attachments, (SELECT count(*) FROM tags) AS tags,
      (SELECT count(*) FROM tags WHERE color IS NOT NULL) AS colors,
      (SELECT count(DISTINCT conversation_id) FROM conversation_tags) AS tagged,
      (SELECT count(DISTINCT contact_id) FROM custom_data) AS known,
      (SELECT count(*) FROM contacts WHERE verified_id IS NOT NULL AND verified_email = email) AS verified,
      (SELECT count(*) FROM articles) AS articles, (SELECT count(*) FROM article_words) AS words,
      (SELECT count(DISTINCT conversation_id) FROM assignments) AS assigned`,
  );
  const figures = Object.fromEntries(Object.entries(counts ?? {}).map(([name, count]) => [name, Number(count)]));
  expect(figures).toMatchObject({
    agents: demo.agents,
    contacts: demo.contacts,
    conversations: demo.conversations,
    messages: demo.messages,
    articles: demo.articles,
  });
  for (const [name, count] of Object.entries(figures)) expect(count, name).toBeGreaterThan(3);
  // Every tag has a color; many conversations have one, and many have none.
  expect(figures).toMatchObject({ tags: 8, colors: 8 });
  for (const name of ["tagged", "known", "assigned"]) {
    expect((figures[name] ?? 0) / demo.conversations, name).toSatisfy((share) => share > 0.2 && share < 0.7);
  }
  const languages = await query(one.storage, "SELECT DISTINCT language FROM contacts WHERE channel = 'website'");
  const spoken = new Set(languages.map(({ language }) => String(language).split("-")[0]));
  expect([...spoken].toSorted()).toEqual(["ar", "de", "en", "es", "fr", "hi", "ja", "pt", "ru", "zh"]);
  const [owner] = await query(one.storage, `SELECT password_hash FROM agents WHERE id = '${demo.agentId}'`);
  expect(await passwordFits(String(owner?.password_hash), demo.password)).toBe(true);
});

test("events stand in the order of time without a gap, none is in the future, and the totals are right", async () => {
  const events = await query(one.storage, "SELECT number, name, occurred_at FROM events ORDER BY number");
  expect(events.map(({ number }) => number)).toEqual(events.map((_event, index) => index + 1));
  const times = events.map(({ occurred_at }) => Number(occurred_at));
  expect(times).toEqual(times.toSorted((earlier, later) => earlier - later));
  expect(times.at(-1)).toBeLessThanOrEqual(END);
  expect(times.at(-1)).toBeGreaterThan(END - DAY_MS / 24);
  expect(times[0]).toBeGreaterThan(END - 32 * DAY_MS);
  const names = new Set(events.map(({ name }) => name));
  for (const name of [
    "conversation.reopened",
    "conversation.resolved",
    "conversation.read",
    "conversation.seen",
    "conversation.rated",
    "contact.updated",
    "note.added",
    "tag.assigned",
    "tag.removed",
    "custom.data.assigned",
    "agent.assigned",
    "article.created",
    "message.redacted",
  ]) {
    expect(names).toContain(name);
  }
  const [counters] = await query(one.storage, "SELECT * FROM team_counters");
  expect(counters).toMatchObject({
    event_number: events.length,
    contacts: demo.contacts,
    conversations: demo.conversations,
    agents: 4,
    widgets: 1,
    webhooks: 0,
    articles: demo.articles,
    published_articles: demo.articles - 1,
  });
});

test("it has something of privacy: a hold, a widget that keeps data for a time, and a message that was redacted", async () => {
  const holds = await query(
    one.storage,
    "SELECT contacts.name, reason, held_by FROM holds JOIN contacts ON contacts.id = holds.contact_id",
  );
  expect(holds).toEqual([expect.objectContaining({ name: "Ruth Ferris" })]);
  expect(String(holds[0]?.held_by)).toContain("Ada Winter");
  const [retention] = await query(one.storage, "SELECT settings FROM retention");
  expect(JSON.parse(String(retention?.settings)).widgets).toMatchObject([{ widget_id: demo.widgetId }]);
  expect(await query(one.storage, "SELECT what, reason FROM erasures")).toEqual([
    { what: "message", reason: "Card number" },
  ]);
  // The text is nowhere, and a server that starts on it brings the erasure to its end.
  expect(await dump(one.storage)).not.toContain("4111 1111");
  expect(await query(one.storage, "SELECT kind FROM jobs WHERE kind = 'erase'")).toHaveLength(1);
});

test("its AI is set up and off; it has answered by an article, handed over on request, and resolved, with a run for each", async () => {
  const [ai] = await query(one.storage, "SELECT is_active, name, breaker FROM ai_settings");
  expect(ai).toMatchObject({ is_active: 0, name: "Robin", breaker: null });
  const runs = await query(
    one.storage,
    "SELECT outcome, reason, count(*) AS runs FROM ai_runs GROUP BY 1, 2 ORDER BY 1",
  );
  expect(runs.map(({ outcome, reason, runs: count }) => [outcome, reason, Number(count)])).toEqual([
    ["answered", "grounded", 7],
    ["handed-over", "asked-for-human", 1],
    ["resolved", "confirmed", 2],
    ["resolved", "silence", 2],
  ]);
  const outcomes = await query(
    one.storage,
    "SELECT outcome, reason, count(*) AS episodes FROM ai_episodes GROUP BY 1, 2 ORDER BY 1, 2",
  );
  expect(outcomes.map(({ outcome, reason, episodes }) => [outcome, reason, Number(episodes)])).toEqual([
    ["assumed", null, 1],
    ["confirmed", null, 2],
    ["handed-over", "asked-for-human", 1],
    ["handed-over", "replied", 1],
    ["open", null, 1],
    ["reopened", "assumed", 1],
  ]);
  const speakers = await query(
    one.storage,
    "SELECT speaker, count(*) AS open FROM conversations WHERE is_resolved = 0 AND speaker <> 'human' GROUP BY 1 ORDER BY 1",
  );
  expect(speakers.map(({ speaker, open }) => [speaker, Number(open)])).toEqual([
    ["ai", 1],
    ["waiting", 1],
  ]);
  expect(await query(one.storage, "SELECT 1 FROM ai_turns")).toEqual([]);
});

test("emails are among the conversations, in a mailbox that takes them over HTTP", async () => {
  const found = await query(
    one.storage,
    `SELECT conversations.email_subject, conversations.is_resolved, count(*) AS mails FROM conversations
      JOIN mails ON mails.conversation_id = conversations.id GROUP BY 1, 2 ORDER BY 1`,
  );
  expect(
    found.map(({ email_subject, is_resolved, mails: count }) => [email_subject, is_resolved, Number(count)]),
  ).toEqual([
    ["60 plants for a new office", 0, 1],
    ["Copy of invoice 4411", 1, 1],
    ["Cracked pot (order 20871)", 0, 2],
  ]);
  const [mailbox] = await query(one.storage, "SELECT state FROM channel_accounts WHERE channel = 'email'");
  expect(mailbox?.state).toBe("active");
});

test("two emails are spam, with originals that can be stored", async () => {
  const found = await query(
    one.storage,
    "SELECT raw_file, preview FROM mail_imports JOIN files ON files.id = raw_file WHERE mail_imports.state = 'spam' ORDER BY raw_file",
  );
  expect(found.map(({ raw_file }) => raw_file)).toEqual(demo.originals.map(({ id }) => id));
  expect(found.map(({ preview }) => JSON.parse(String(preview)).name)).toEqual(["Growth team", "Parcel notice"]);
  for (const { content } of demo.originals) expect(content.toString()).toContain("X-Spam-Flag: YES");
});

test("the same seed and end make the same demo, but for its secrets; another seed makes another", async () => {
  await fill(two.storage);
  await fill(three.storage, 2);
  // Erasures, jobs and runs of the AI have what is sealed anew.
  const SECRET_TABLES = [
    ...["agents", "api_keys", "schema_migrations", "installation", "erasures", "jobs", "ai_runs"],
    ...["channel_accounts", "channel_doors", "files"],
  ];
  const told = async (storage: Storage) =>
    Object.fromEntries(Object.entries(await storage.read(everyRow)).filter(([name]) => !SECRET_TABLES.includes(name)));
  const first = await told(one.storage);
  const second = await told(two.storage);
  for (const [table, rows] of Object.entries(second)) expect(rows, table).toEqual(first[table]);
  expect(await told(three.storage)).not.toEqual(first);
});

test("it shows nothing of its visitors that live chat does not collect", async () => {
  const rows = await query(
    one.storage,
    `SELECT browser_type, operating_system, timezone, location, country, country_code, country_dialing_code, ip
      FROM contacts WHERE channel = 'website'`,
  );
  for (const { browser_type, operating_system, timezone, ...others } of rows) {
    expect(browser_type).toBeTruthy();
    expect(operating_system).toBeTruthy();
    // The place that is shown comes from it.
    expect(countryOfTimeZone(String(timezone))).toMatch(/^[A-Z]{2}$/);
    expect(others).toEqual({ location: null, country: null, country_code: null, country_dialing_code: null, ip: null });
  }
});

test("a second demo is refused, and nothing is added", async () => {
  const before = await one.storage.read(everyRow);
  await expect(fill(one.storage)).rejects.toThrow("The demo team already exists");
  expect(await one.storage.read(everyRow)).toEqual(before);
});

test("no person in it can be real: addresses and numbers are those reserved for examples", () => {
  const FICTION = [
    /^\+1\d{3}55501\d\d$/, // North America
    /^\+442079460\d{3}$/, // London
    /^\+441134960\d{3}$/, // Leeds
    /^\+4930231250\d\d$/, // Berlin
    /^\+4989999980?\d{2,4}$/, // München
    /^\+3319900\d{4}$/, // Paris
    /^\+3346571\d{4}$/, // Lyon
    /^\+61491570\d{3}$/, // Australia
  ];
  const emails = conversations.flatMap(({ visitor }) => visitor.email ?? []);
  expect(new Set(emails).size).toBe(emails.length);
  for (const email of emails) expect(email).toMatch(/@(example\.(com|org)|[a-z-]+\.test)$/);
  for (const { visitor } of conversations) {
    const { phone } = visitor;
    if (phone)
      expect(
        FICTION.some((pattern) => pattern.test(phone)),
        phone,
      ).toBe(true);
  }
});
