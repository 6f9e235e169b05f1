/** A run reads what goes, however much there is (docs/decisions/0055-retention.md). */
import { query, sqlText } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { adaSets, veraWrites } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import { oldSpam, oldSpamOfAccount } from "../email/spam/spam-store.ts";
import type { Statement } from "../storage/statement.ts";
import * as store from "./retention-store.ts";

const { storage, team, clock } = await startTestApp();
const DAY = 24 * 3_600_000;

/** As many of each as a plan needs to be chosen by. */
const MANY = 2_000;
const acme = await team();
const { conversationId, contactId } = await veraWrites(acme, { email: "vera@acme.test" });
await adaSets(acme, conversationId, "resolved");

/** Copies of a row, none of which is old. */
async function copies(table: string, id: string, set: Record<string, string> = {}): Promise<void> {
  const columns = (await query(storage, `SELECT * FROM ${table} LIMIT 1`))[0] ?? {};
  const generated = ["inbox_list", "active_at", "waiting_rank", "quiet_since", "row_key"];
  const names = Object.keys(columns).filter((name) => !generated.includes(name));
  const ids =
    storage.engine === "postgres"
      ? `SELECT gen_random_uuid() AS new_id FROM generate_series(1, ${MANY})`
      : `WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${MANY})
          SELECT lower(hex(randomblob(16))) AS new_id FROM numbers`;
  const values = names.map((name) => (name === id ? "copies.new_id" : (set[name] ?? `one.${name}`)));
  await query(
    storage,
    `INSERT INTO ${table} (${names.join(", ")})
      SELECT ${values.join(", ")} FROM (SELECT * FROM ${table} LIMIT 1) AS one, (${ids}) AS copies`,
  );
}

await query(
  storage,
  `INSERT INTO page_visits (team_id, contact_id, id, page, visited_at, widget_id)
    VALUES ('${acme.teamId}', '${contactId}', '${contactId}', 'https://acme.test', ${clock.now()}, '${acme.widgetId}')`,
);
await query(storage, `UPDATE contacts SET ip = '203.0.113.7'`);
await copies("contacts", "id", { conversation_count: "0" });
await copies("conversations", "id");
await copies("messages", "id", {
  sort_number: storage.engine === "postgres" ? "hashtext(new_id::text)" : "random() % 1000000000",
});
await query(
  storage,
  `INSERT INTO attachments (team_id, message_id, position, url, account_id, created_at)
    SELECT team_id, id, 1, 'https://files.acme.test/x', '${acme.widgetId}', ${clock.now()} FROM messages`,
);
await query(
  storage,
  `INSERT INTO mails (team_id, message_id, conversation_id, account_id, direction, subject, recipients, reference_ids, raw_file, sent_at)
    SELECT team_id, id, conversation_id, '${acme.widgetId}', 'in', '', '{}', '[]', id, ${clock.now()} FROM messages`,
);
await query(
  storage,
  `INSERT INTO mail_imports (team_id, account_id, key, state, raw_file, sender, taken_at, run_at, attempts)
    SELECT team_id, '${acme.widgetId}', sort_number, 'failed', id, 'vera@acme.test', ${clock.now()}, 0, 5 FROM messages`,
);
await query(
  storage,
  `INSERT INTO mail_imports (team_id, account_id, key, state, raw_file, sender, taken_at, run_at, attempts)
    SELECT team_id, account_id, 'spam ' || key, 'spam', raw_file, sender, taken_at, 0, 0 FROM mail_imports`,
);
await copies("page_visits", "id");
await copies("audit_log", "id", { ip: "'203.0.113.7'" });
if (storage.engine === "postgres") await query(storage, "ANALYZE");

const of = { team_id: acme.teamId, account_id: acme.widgetId, widget_id: acme.widgetId };
const params = {
  ...of,
  before: clock.now() - DAY,
  now: clock.now(),
  limit: 20,
  before_id: "00000000-0000-0000-0000-000000000000",
};

const searches: [string, Statement<never, unknown>, string][] = [
  ["conversations", store.quietConversations, "conversations_by_quiet"],
  ["texts", store.quietTexts, "conversations_with_texts"],
  ["contacts", store.inactiveContacts, "contacts_without_conversation"],
  ["files", store.oldAttachments, "attachments_by_age"],
  ["originals", store.oldOriginals, "mails_with_original"],
  ["unimported mails", store.oldUnimported, "mail_imports_failed"],
  ["spam", oldSpam, "mail_imports_spam"],
  ["spam of one account", oldSpamOfAccount, "mail_imports_spam"],
  ["page visits", store.oldPageVisits, "page_visits_by_age"],
  ["addresses of contacts", store.contactsWithOldIp, "contacts_with_ip"],
  ["addresses of sessions", store.sessionsWithOldIp, "sessions_with_ip"],
  ["addresses of the audit log", store.auditWithOldIp, "audit_log_with_ip"],
];

test.each(searches)(
  "%s that are old are found by an index, and the others are not read",
  async (_of, search, index) => {
    const { sql, values } = search.compiled(storage.engine);
    const given = values(params as never).map((value) => (typeof value === "string" ? `'${value}'` : String(value)));
    if (storage.engine === "sqlite") {
      const lines = await query(storage, `EXPLAIN QUERY PLAN ${sql.replaceAll("?", () => given.shift() ?? "")}`);
      const text = lines.map(({ detail }) => String(detail)).join("\n");
      expect(text).toMatch(new RegExp(`SEARCH \\w+ USING (COVERING )?INDEX ${index}\\b`));
      expect(text).not.toMatch(/SCAN|TEMP B-TREE/);
      return;
    }
    const explained = await storage.write(null, (db) =>
      db.all(
        sqlText(`EXPLAIN (ANALYZE, TIMING OFF) ${sql.replaceAll(/\$(\d+)/g, (_, at) => given[Number(at) - 1] ?? "")}`),
        {},
      ),
    );
    const lines = explained.map((line) => String(line["QUERY PLAN"]));
    const text = lines.join("\n");
    if (MANY_OF.has(index)) expect(text).toMatch(new RegExp(`Index (Only )?Scan using ${index}\\b`));
    const read = lines.flatMap((line) => /Scan .*actual rows=(\d+)/.exec(line)?.[1] ?? []).map(Number);
    expect(read.reduce((sum, rows) => sum + rows, 0)).toBeLessThan(5);
  },
);

/** There are no sessions: PostgreSQL reads an empty table. */
const MANY_OF = new Set(searches.map(([, , index]) => index).filter((index) => index !== "sessions_with_ip"));
