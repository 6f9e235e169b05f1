/** Architecture, 4 "Migrations": numbered, forward only, one list for both engines, in a transaction. */
import { randomBytes } from "node:crypto";
import { openBeside, query } from "@frontdesk/testing/second-app";
import { openTestStorage } from "@frontdesk/testing/test-kit";
import { afterEach, expect, test } from "vitest";
import { openVault } from "../access/vault.ts";
import { findContacts } from "../contacts/find-contacts.ts";
import { uuidv7 } from "../ids.ts";
import { createPerform } from "../perform.ts";
import { createRuntime } from "../runtime.ts";
import { teamOfWidget } from "../widgets/widget-store.ts";
import { migrations } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";

const newId = uuidv7(Date.now);
const empty = async () => (await openTestStorage()).storage;
const [fresh, twins, refusing, older, broken] = [
  await empty(),
  await empty(),
  await empty(),
  await empty(),
  await empty(),
];
const [answered, searched, listed, sourced] = [await empty(), await empty(), await empty(), await empty()];
const [waiting, unaccounted, delivering, measured] = [await empty(), await empty(), await empty(), await empty()];
const subjects = await empty();
const twin = await openBeside(twins);

const known = migrations.map(({ number }) => number);
const next = Math.max(...known) + 1;

/** The additions of a later program; removed after the test. */
function release(migration: Partial<Migration>): Migration {
  const added = { number: next, name: "later", breaking: true, statements: () => [], ...migration };
  (migrations as Migration[]).push(added);
  return added;
}
const withdraw = () => (migrations as Migration[]).splice(known.length);
afterEach(withdraw);

/** Migrates as far as the program that did not yet have the migration with that name. */
async function migrateBefore(storage: Awaited<ReturnType<typeof empty>>, migration: string): Promise<void> {
  const later = (migrations as Migration[]).splice(migrations.findIndex(({ name }) => name === migration));
  try {
    await storage.migrate();
  } finally {
    (migrations as Migration[]).push(...later);
  }
}

test("an empty database gets every migration, and a second time none", async () => {
  await expect(fresh.check()).rejects.toThrow();
  expect(await fresh.migrate()).toEqual({ applied: known, distributed: [] });
  await fresh.check();
  expect(await fresh.migrate()).toEqual({ applied: [], distributed: [] });
  const rows = await query(fresh, "SELECT number, name, breaking FROM schema_migrations ORDER BY number");
  expect(rows).toEqual(migrations.map(({ number, name, breaking }) => ({ number, name, breaking: breaking ? 1 : 0 })));
});

test("migrations have rising numbers and names of their own", () => {
  expect(known).toEqual([...new Set(known)].toSorted((one, other) => one - other));
  expect(new Set(migrations.map(({ name }) => name)).size).toBe(migrations.length);
});

test("of two programs that start at once, one migrates and both go on", async () => {
  const applied = await Promise.all([twins.migrate(), twin.migrate(), twins.migrate()]);
  expect(applied.map((one) => one.applied).toSorted((a, b) => b.length - a.length)).toEqual([known, [], []]);
  await Promise.all([twins.check(), twin.check()]);
});

test("data that a newer program has migrated in a breaking way is refused, with what to do", async () => {
  await refusing.migrate();
  release({});
  expect(await refusing.migrate()).toMatchObject({ applied: [next] });
  withdraw();
  for (const act of [refusing.migrate, refusing.check]) {
    await expect(act()).rejects.toMatchObject({
      name: "SchemaTooNew",
      message: expect.stringMatching(/newer Frontdesk \(\d+ later\).*Start the newer version/),
    });
  }
});

test("data of an older program is migrated and kept, and is not ready before", async () => {
  await older.migrate();
  await query(older, "INSERT INTO installation (name, value) VALUES ('kept', 'yes')");
  release({ breaking: false, statements: () => ["ALTER TABLE installation ADD COLUMN note text"] });
  await expect(older.check()).rejects.toThrow("npx frontdesk migrate");
  expect(await older.migrate()).toMatchObject({ applied: [next] });
  await older.check();
  expect(await query(older, "SELECT value, note FROM installation WHERE name = 'kept'")).toEqual([
    { value: "yes", note: null },
  ]);
  // The program before may still run on it: the step was not a breaking one.
  withdraw();
  await older.check();
  expect(await older.migrate()).toMatchObject({ applied: [] });
});

test("what was answered before there was mail to visitors is never mailed, and what was not unread has been read", async () => {
  await migrateBefore(answered, "care");
  const team = newId();
  await query(answered, `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${team}', 'Acme', 1, 0)`);
  await query(answered, `INSERT INTO widgets (team_id, id, created_at) VALUES ('${team}', '${team}', 0)`);
  await query(
    answered,
    `INSERT INTO contacts (team_id, id, widget_id, phone_digits, search_text, bgcolor, online_status, last_active_at, is_name_updated, created_at)
     VALUES ('${team}', '${team}', '${team}', '', '', 'red', 'offline', 0, 0, 0)`,
  );
  for (const unread of [0, 2]) {
    await query(
      answered,
      `INSERT INTO conversations (team_id, id, contact_id, widget_id, channel, is_resolved, unread_messages, last_message_at,
         last_message_number, last_sort_number, message_count, created_at)
       VALUES ('${team}', '${newId()}', '${team}', '${team}', 'website', 0, ${unread}, 0, 5, 5, 5, 0)`,
    );
  }
  await answered.migrate();
  const rows = await query(
    answered,
    "SELECT unread_messages, mailed_number, team_seen_number FROM conversations ORDER BY unread_messages",
  );
  expect(rows).toEqual([
    { unread_messages: 0, mailed_number: 5, team_seen_number: 5 },
    { unread_messages: 2, mailed_number: 5, team_seen_number: 0 },
  ]);
});

test("what was snoozed, or waits to be mailed, before there were timers has one, and its old jobs are gone", async () => {
  await migrateBefore(waiting, "timers");
  const newId = uuidv7(Date.now);
  const team = newId();
  await query(waiting, `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${team}', 'Acme', 1, 0)`);
  await query(waiting, `INSERT INTO widgets (team_id, id, created_at) VALUES ('${team}', '${team}', 0)`);
  await query(
    waiting,
    `INSERT INTO contacts (team_id, id, widget_id, phone_digits, search_text, bgcolor, online_status, last_active_at, is_name_updated, created_at)
     VALUES ('${team}', '${team}', '${team}', '', '', 'red', 'offline', 0, 0, 0)`,
  );
  const conversation = async (column: "snoozed_until" | "mail_due_at" | "rated_at", at: number) => {
    const id = newId();
    await query(
      waiting,
      `INSERT INTO conversations (team_id, id, contact_id, widget_id, account_id, channel, is_resolved, unread_messages, last_message_at,
         last_message_number, last_sort_number, message_count, created_at, ${column})
       VALUES ('${team}', '${id}', '${team}', '${team}', '${team}', 'website', 0, 0, 0, 1, 1, 1, 0, ${at})`,
    );
    return id;
  };
  const job = (kind: string, state: string, createdAt: number, runAt: number) =>
    query(
      waiting,
      `INSERT INTO jobs (team_id, id, kind, payload_sealed, state, attempts, run_at, created_at)
       VALUES ('${team}', '${newId()}', '${kind}', 'sealed', '${state}', 0, ${runAt}, ${createdAt})`,
    );
  const [snoozed, mailed] = [await conversation("snoozed_until", 1_000), await conversation("mail_due_at", 500)];
  // Its job was given up long ago.
  await conversation("mail_due_at", 50);
  await conversation("rated_at", 500);
  await job("wake-conversation", "waiting", 100, 1_000);
  // It was tried once.
  await job("mail-replies", "waiting", 400, 700);
  await job("mail-replies", "failed", 40, 60);
  await job("send-mail", "waiting", 400, 700);
  await waiting.migrate();
  // What is searched is folded again, by a timer of the team.
  expect(await query(waiting, "SELECT kind, subject_id, due_at FROM timers WHERE subject_id = team_id")).toEqual([
    { kind: "fold-search-texts", subject_id: team, due_at: 0 },
  ]);
  expect(
    (
      await query(
        waiting,
        "SELECT kind, subject_id, due_at, armed_for, data, attempts, failed_at FROM timers WHERE subject_id <> team_id",
      )
    ).toSorted((one, other) => String(one.kind).localeCompare(String(other.kind))),
  ).toEqual([
    {
      kind: "end-snooze",
      subject_id: snoozed,
      due_at: 1_000,
      armed_for: 1_000,
      data: null,
      attempts: 0,
      failed_at: null,
    },
    { kind: "mail-replies", subject_id: mailed, due_at: 500, armed_for: 500, data: null, attempts: 0, failed_at: null },
  ]);
  expect(await query(waiting, "SELECT kind, state, queue_key, cause FROM jobs ORDER BY kind")).toEqual([
    { kind: "mail-replies", state: "failed", queue_key: null, cause: null },
    { kind: "send-mail", state: "waiting", queue_key: null, cause: null },
  ]);
});

test("conversations of before have one episode, of their present or last open stretch, with what is known of it", async () => {
  await migrateBefore(measured, "episodes");
  const newId = uuidv7(Date.now);
  const team = newId();
  const [vera, ada, mia] = [newId(), newId(), newId()];
  await query(measured, `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${team}', 'Acme', 1, 0)`);
  await query(measured, `INSERT INTO widgets (team_id, id, created_at) VALUES ('${team}', '${team}', 0)`);
  await query(
    measured,
    `INSERT INTO contacts (team_id, id, widget_id, phone_digits, search_text, bgcolor, online_status, last_active_at, is_name_updated, created_at)
     VALUES ('${team}', '${vera}', '${team}', '', '', 'red', 'offline', 0, 0, 0)`,
  );
  /** A conversation with messages: who (null for Vera), by what, when. */
  const conversation = async (
    columns: Record<string, number | string>,
    messages: [string | null, string, number][],
  ) => {
    const id = newId();
    const given = { is_resolved: 0, snoozed_until_reply: 0, ...columns };
    await query(
      measured,
      `INSERT INTO conversations (team_id, id, contact_id, widget_id, account_id, channel, unread_messages, last_message_at,
         last_message_number, last_sort_number, message_count, created_at, ${Object.keys(given).join(", ")})
       VALUES ('${team}', '${id}', '${vera}', '${team}', '${team}', 'website', 0, 0, 0, 0, 0, 100, ${Object.values(
         given,
       )
         .map((value) => (typeof value === "string" ? `'${value}'` : value))
         .join(", ")})`,
    );
    for (const [index, [agent, via, at]] of messages.entries()) {
      await query(
        measured,
        `INSERT INTO messages (team_id, conversation_id, sort_number, id, contact_id, agent_id, type, origin, sent_via,
           content, content_folded, created_at)
         VALUES ('${team}', '${id}', ${index + 1}, '${newId()}', '${vera}', ${agent ? `'${agent}'` : "NULL"}, 'message',
           'chat', '${via}', '', '', ${at})`,
      );
    }
    return id;
  };
  const waits = await conversation({}, [
    [null, "widget", 100],
    [ada, "dashboard", 110],
    [null, "widget", 120],
    [mia, "automation", 125],
    [null, "widget", 130],
  ]);
  const answered = await conversation({ handoff_requested_at: 105 }, [
    [null, "widget", 100],
    [ada, "assistant", 104],
    [mia, "api", 110],
    [ada, "api", 111],
  ]);
  const handedOver = await conversation({ handoff_requested_at: 105 }, [
    [null, "widget", 100],
    [ada, "assistant", 104],
  ]);
  const done = await conversation(
    { is_resolved: 1, resolved_at: 250, resolved_by: '{"system":{}}', reopened_at: 200, rating: 4, rated_at: 260 },
    [
      [null, "widget", 100],
      [ada, "api", 110],
      [null, "widget", 200],
      [mia, "api", 210],
      [ada, "api", 300],
    ],
  );
  const putOff = await conversation({ snoozed_until_reply: 1, reopened_at: 200, rating: 2, rated_at: 150 }, []);
  for (const [number, at] of [140, 160].entries()) {
    await query(
      measured,
      `INSERT INTO events (team_id, number, id, name, conversation_id, actor, data, occurred_at, version)
       VALUES ('${team}', ${number + 1}, 'evt_${number}', 'conversation.snoozed', '${putOff}', '{}', '{}', ${at}, '')`,
    );
  }
  await measured.migrate();

  const rows = await query(
    measured,
    `SELECT episodes.*, conversations.episode, conversations.waiting_since AS waiting FROM conversations
       INNER JOIN episodes ON episodes.team_id = conversations.team_id AND episodes.conversation_id = conversations.id`,
  );
  const known = (id: string) => {
    const { team_id, conversation_id, number, episode, waiting, waiting_since, ...row } =
      rows.find((each) => each.conversation_id === id) ?? {};
    expect({ number, episode, waiting }).toEqual({ number: 1, episode: 1, waiting: waiting_since });
    return Object.fromEntries(
      Object.entries({ ...row, waiting_since }).filter(([, value]) => value !== null && value !== 0),
    );
  };
  expect(rows).toHaveLength(5);
  const byVera = { opened_at: 100, opened_by: "visitor", opened_by_id: vera };
  expect(known(waits)).toEqual({
    ...byVera,
    waiting_since: 120,
    first_reply_at: 110,
    first_reply_by: ada,
    last_reply_by: ada,
    replies: 1,
  });
  expect(known(answered)).toEqual({
    ...byVera,
    first_reply_at: 110,
    first_reply_by: mia,
    last_reply_by: ada,
    replies: 2,
    assistant_replies: 1,
  });
  expect(known(handedOver)).toEqual({ ...byVera, waiting_since: 105, assistant_replies: 1 });
  expect(known(done)).toEqual({
    opened_at: 200,
    first_reply_at: 210,
    first_reply_by: mia,
    last_reply_by: mia,
    replies: 1,
    resolved_at: 250,
    resolved_by: '{"system":{}}',
    resolution_ms: 50,
    rating: 4,
    rated_at: 260,
  });
  expect(known(putOff)).toEqual({ opened_at: 200, snoozed_since: 160 });
});

test("contacts that were there before their index knew teams are found by it", async () => {
  await migrateBefore(searched, "contact-search-by-team");
  const team = newId();
  await query(searched, `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${team}', 'Acme', 1, 0)`);
  await query(searched, `INSERT INTO widgets (team_id, id, created_at) VALUES ('${team}', '${team}', 0)`);
  for (const [text, digits] of [
    ["véra \u{1f600} x\u001fvera@acme.test", "4915112345"],
    ["no", ""],
    ["", "12"],
  ]) {
    await query(
      searched,
      `INSERT INTO contacts (team_id, id, widget_id, phone_digits, search_text, bgcolor, online_status, last_active_at, is_name_updated, created_at)
       VALUES ('${team}', '${newId()}', '${team}', '${digits}', '${text}', 'red', 'offline', 0, 0, 0)`,
    );
  }
  await searched.migrate();
  const perform = createPerform(searched, createRuntime(openVault(randomBytes(32))));
  const found = async (search: string) =>
    (await perform({ kind: "system", teamId: team }, findContacts, { query: search, limit: 9 })).length;
  for (const search of ["véra", "\u{1f600} x", "a@acme", "5112", "VERA@acme.TEST"])
    expect(await found(search), search).toBe(1);
  for (const search of ["verax", "xvera", "5113"]) expect(await found(search), search).toBe(0);
});

test("widgets that were there before their directory are found by it", async () => {
  await migrateBefore(listed, "widget-directory");
  const [team, widget] = [newId(), newId()];
  await query(listed, `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${team}', 'Acme', 1, 0)`);
  await query(listed, `INSERT INTO widgets (team_id, id, created_at) VALUES ('${team}', '${widget}', 0)`);
  await listed.migrate();
  expect(await listed.first(teamOfWidget, { id: widget })).toEqual({ team_id: team });
});

test("an e-mail that was verified before sources were stored stays verified, and of any other the source is not known", async () => {
  await migrateBefore(sourced, "detail-sources");
  const team = newId();
  await query(sourced, `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${team}', 'Acme', 1, 0)`);
  await query(sourced, `INSERT INTO widgets (team_id, id, created_at) VALUES ('${team}', '${team}', 0)`);
  for (const [email, verified] of [
    ["'vera@acme.test'", "'vera@acme.test'"],
    ["'typed@acme.test'", "'vera@acme.test'"],
    ["'vera@acme.test'", "NULL"],
    ["NULL", "NULL"],
  ]) {
    await query(
      sourced,
      `INSERT INTO contacts (team_id, id, widget_id, channel, email, verified_email, phone_digits, search_text, bgcolor, online_status,
         last_active_at, is_name_updated, created_at)
       VALUES ('${team}', '${newId()}', '${team}', 'website', ${email}, ${verified}, '', '', 'red', 'offline', 0, 0, 0)`,
    );
  }
  await sourced.migrate();
  const rows = await query(sourced, "SELECT email_source, phone_source FROM contacts ORDER BY id");
  expect(rows.map(({ email_source }) => email_source)).toEqual(["identity", null, null, null]);
  expect(rows.map(({ phone_source }) => phone_source)).toEqual([null, null, null, null]);
});

test("what there was before channel accounts belongs to the account that its widget is", async () => {
  await migrateBefore(unaccounted, "channel-accounts");
  const [team, widget, other] = [newId(), newId(), newId()];
  await query(
    unaccounted,
    `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${team}', 'Acme', 1, 0)`,
  );
  for (const [id, at] of [
    [widget, 7],
    [other, 8],
  ]) {
    await query(
      unaccounted,
      `INSERT INTO widgets (team_id, id, name, created_at) VALUES ('${team}', '${id}', 'Shop', ${at})`,
    );
  }
  await query(
    unaccounted,
    `INSERT INTO contacts (team_id, id, widget_id, phone_digits, search_text, bgcolor, online_status, last_active_at, is_name_updated, created_at)
     VALUES ('${team}', '${team}', '${widget}', '', '', 'red', 'offline', 0, 0, 0)`,
  );
  await query(
    unaccounted,
    `INSERT INTO conversations (team_id, id, contact_id, widget_id, channel, is_resolved, unread_messages, last_message_at,
       last_message_number, last_sort_number, message_count, created_at)
     VALUES ('${team}', '${team}', '${team}', '${widget}', 'website', 0, 0, 0, 1, 1, 1, 0)`,
  );
  await unaccounted.migrate();
  expect(await query(unaccounted, "SELECT account_id FROM conversations")).toEqual([{ account_id: widget }]);
  expect(await query(unaccounted, "SELECT channel FROM contacts")).toEqual([{ channel: "website" }]);
  const account = { channel: "website", state: "active", name: null, provider_key: null };
  expect(
    await query(
      unaccounted,
      "SELECT id, home_widget_id, channel, state, name, provider_key, created_at FROM channel_accounts ORDER BY created_at",
    ),
  ).toEqual([
    { ...account, id: widget, home_widget_id: widget, created_at: 7 },
    { ...account, id: other, home_widget_id: other, created_at: 8 },
  ]);
});

test("deliveries that were queued, under way, over, or of a subscription that is gone come into the outbox with their log", async () => {
  await migrateBefore(delivering, "outbox");
  const id = uuidv7(Date.now);
  const [team, busy, idle, unheld, gone, owner, conversation] = Array.from({ length: 7 }, id);
  await query(delivering, `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${team}', 'Acme', 1, 0)`);
  for (const webhook of [busy, idle, unheld]) {
    await query(
      delivering,
      `INSERT INTO webhooks (team_id, id, name, endpoint_url, is_active, events, secret_sealed, created_at, updated_at)
       VALUES ('${team}', '${webhook}', 'hook', 'https://hooks.acme.test/', 1, '[]', 'sealed', 0, 0)`,
    );
  }
  const deliveries: [string | undefined, number, string, number, string][] = [
    [busy, 1, "delivered", 0, "90"],
    [busy, 2, "sending", 0, "NULL"],
    [busy, 3, "waiting", 77, "NULL"],
    [idle, 1, "failed", 0, "80"],
    [unheld, 3, "waiting", 0, "NULL"],
    [gone, 3, "waiting", 0, "NULL"],
  ];
  for (const [webhook, number, state, runAt, endedAt] of deliveries) {
    await query(
      delivering,
      `INSERT INTO deliveries (team_id, webhook_id, event_number, event_id, event_name, conversation_id, state, attempt,
         last_attempt, run_at, created_at, ended_at)
       VALUES ('${team}', '${webhook}', ${number}, 'evt_${number}', 'message.sent', '${conversation}', '${state}', 2, 4, ${runAt}, 5, ${endedAt})`,
    );
  }
  for (const [webhook, ownerId] of [
    [busy, `'${owner}'`],
    [idle, "NULL"],
  ]) {
    await query(
      delivering,
      `INSERT INTO delivery_queues (team_id, webhook_id, owner_id, lease_until, failures, last_error)
       VALUES ('${team}', '${webhook}', ${ownerId}, 60, 3, 'status 503')`,
    );
  }
  await query(
    delivering,
    `INSERT INTO delivery_attempts (team_id, webhook_id, event_number, id, attempt, endpoint_url, started_at, status)
     VALUES ('${team}', '${busy}', 1, 'del_1', 1, 'https://hooks.acme.test/', 7, 200)`,
  );
  await delivering.migrate();

  const items = await query(delivering, "SELECT * FROM outbox_items");
  expect(items).toHaveLength(deliveries.length);
  for (const [queue_id, event_number, state, run_at, endedAt] of deliveries) {
    expect(items).toContainEqual({
      team_id: team,
      queue_id,
      event_number,
      receiver: "webhook",
      event_id: `evt_${event_number}`,
      event_name: "message.sent",
      order_key: conversation,
      state,
      attempt: 2,
      last_attempt: 4,
      run_at,
      claim_id: null,
      created_at: 5,
      ended_at: endedAt === "NULL" ? null : Number(endedAt),
      message_id: null,
    });
  }
  const queues = await query(delivering, "SELECT * FROM outbox_queues");
  const of = (queue: string | undefined) => queues.find(({ queue_id }) => queue_id === queue);
  expect(queues).toHaveLength(4);
  expect(of(busy)).toMatchObject({ owner_id: owner, lease_until: 60, due_at: 0, removed_at: null, failures: 3 });
  expect(of(idle)).toMatchObject({ owner_id: null, due_at: null, removed_at: null, last_error: "status 503" });
  expect(of(unheld)).toMatchObject({ receiver: "webhook", owner_id: null, due_at: 0, removed_at: null, failures: 0 });
  expect(of(gone)).toMatchObject({ due_at: 0, removed_at: 0 });
  expect(await query(delivering, "SELECT * FROM outbox_attempts")).toMatchObject([
    { queue_id: busy, event_number: 1, id: "del_1", address: "https://hooks.acme.test/", status: 200, result: null },
  ]);
});

test("subjects of before are folded by a timer of each team that has some, unless it folds everything already", async () => {
  await migrateBefore(subjects, "searched-subjects");
  const teamWith = async (channel: "email" | "website", subject: string) => {
    const id = newId();
    await query(subjects, `INSERT INTO teams (team_id, name, api_access, created_at) VALUES ('${id}', 'Acme', 1, 0)`);
    await query(subjects, `INSERT INTO widgets (team_id, id, created_at) VALUES ('${id}', '${id}', 0)`);
    await query(
      subjects,
      `INSERT INTO contacts (team_id, id, widget_id, phone_digits, search_text, bgcolor, online_status, last_active_at, is_name_updated, created_at)
       VALUES ('${id}', '${id}', '${id}', '', '', 'red', 'offline', 0, 0, 0)`,
    );
    await query(
      subjects,
      `INSERT INTO conversations (team_id, id, contact_id, widget_id, account_id, channel, is_resolved, unread_messages,
         last_message_at, last_message_number, last_sort_number, message_count, created_at, email_subject)
       VALUES ('${id}', '${id}', '${id}', '${id}', '${id}', '${channel}', 0, 0, 0, 1, 1, 1, 0, ${subject})`,
    );
    return id;
  };
  const [mailed, folding] = [await teamWith("email", "'Größe 40?'"), await teamWith("email", "'Größe 41?'")];
  await teamWith("website", "NULL");
  const foldsMessages = `{"of":"messages","before":"${mailed}"}`;
  await query(
    subjects,
    `INSERT INTO timers (team_id, kind, subject_id, due_at, armed_for, data, attempts)
     VALUES ('${folding}', 'fold-search-texts', '${folding}', 5, 5, '${foldsMessages}', 0)`,
  );
  await subjects.migrate();
  const timers = await query(subjects, "SELECT team_id, kind, subject_id, due_at, data FROM timers ORDER BY team_id");
  const kind = "fold-search-texts";
  const data = '{"of":"subjects","before":"ffffffff-ffff-ffff-ffff-ffffffffffff"}';
  expect(timers).toEqual([
    { team_id: mailed, kind, subject_id: mailed, due_at: 0, data },
    { team_id: folding, kind, subject_id: folding, due_at: 5, data: foldsMessages },
  ]);
  expect(await query(subjects, "SELECT DISTINCT email_subject_folded AS it FROM conversations")).toEqual([{ it: "" }]);
});

test("a migration that fails leaves nothing of itself, and the program before goes on", async () => {
  await broken.migrate();
  release({ statements: () => ["CREATE TABLE half_done (name text)", "CREATE NONSENSE"] });
  await expect(broken.migrate()).rejects.toThrow(/syntax/i);
  withdraw();
  await broken.check();
  await expect(query(broken, "SELECT * FROM half_done")).rejects.toThrow(/half_done/);
  expect(await query(broken, "SELECT number FROM schema_migrations")).toEqual(known.map((number) => ({ number })));
});
