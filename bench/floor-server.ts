/**
 * The floor: a bare Fastify server that does the minimum that the same requests need. No validation, no layers, no event
 * payloads from rows: hand-written prepared SQL, the same rows changed, the same durability. The benchmarks show what the
 * service costs above this.
 *
 * Environment: FLOOR_PORT, and DATABASE_URL or FLOOR_FILE (a migrated, seeded database).
 */
import { createHash, randomUUID } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import Fastify from "fastify";
import pg from "pg";

interface Floor {
  /** The team of an API key. */
  authenticate(hash: string): Promise<Key>;
  message(key: Key, conversationId: string, content: string): Promise<object>;
  conversation(key: Key, widgetId: string, content: string, name: string, email: string): Promise<object>;
  messages(key: Key, conversationId: string): Promise<object[]>;
  conversations(key: Key): Promise<object[]>;
  search(key: Key, needle: string): Promise<object[]>;
}

interface Key {
  team_id: string;
  agent_id: string;
}

const url = process.env.DATABASE_URL;
const floor = url ? postgresFloor(url) : sqliteFloor(String(process.env.FLOOR_FILE));
const app = Fastify();

app.decorateRequest("key");
app.addHook("onRequest", async (request) => {
  const hash = createHash("sha256").update(String(request.headers["x-api-key"])).digest("hex");
  (request as unknown as { key: Key }).key = await floor.authenticate(hash);
});
const keyOf = (request: unknown) => (request as { key: Key }).key;

app.post<{ Body: { conversation_id: string; content: string } }>("/api/v1/messages", async (request, reply) =>
  reply.code(201).send(await floor.message(keyOf(request), request.body.conversation_id, request.body.content)),
);
app.post<{ Body: { widget_id: string; content: string; name: string; email: string } }>(
  "/api/v1/conversations",
  async (request) => {
    const { widget_id, content, name, email } = request.body;
    return floor.conversation(keyOf(request), widget_id, content, name, email);
  },
);
app.get<{ Params: { id: string } }>("/api/v1/conversations/:id/messages", async (request) => ({
  data: await floor.messages(keyOf(request), request.params.id),
}));
app.get("/api/v1/conversations/all", async (request) => ({ data: await floor.conversations(keyOf(request)) }));
app.get<{ Querystring: { search: string } }>("/api/v1/contacts", async (request) => ({
  data: await floor.search(keyOf(request), request.query.search.toLowerCase()),
}));

await app.listen({ port: Number(process.env.FLOOR_PORT), host: "127.0.0.1" });
console.log("ready");

function sqliteFloor(file: string): Floor {
  const db = new DatabaseSync(file);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
  const sql = {
    key: db.prepare("SELECT team_id, agent_id FROM api_keys WHERE key_hash = ?"),
    conversation: db.prepare("SELECT * FROM conversations WHERE team_id = ? AND id = ?"),
    contact: db.prepare("SELECT id, name, email FROM contacts WHERE team_id = ? AND id = ?"),
    agent: db.prepare("SELECT id, name FROM agents WHERE team_id = ? AND id = ?"),
    byEmail: db.prepare(
      "SELECT id FROM contacts WHERE team_id = ? AND widget_id = ? AND email_folded = ? ORDER BY last_active_at DESC, id DESC LIMIT 1",
    ),
    addContact: db.prepare(`INSERT INTO contacts (team_id, id, widget_id, name, email, email_folded, phone_digits,
      search_text, bgcolor, online_status, last_active_at, is_name_updated, created_at)
      VALUES (?, ?, ?, ?, ?, ?, '', ?, '#000000', 'offline', ?, 0, ?)`),
    addConversation:
      db.prepare(`INSERT INTO conversations (team_id, id, contact_id, account_id, widget_id, channel, is_resolved,
      unread_messages, last_message_at, last_message_number, last_sort_number, message_count, created_at)
      VALUES (?1, ?2, ?3, ?4, ?4, 'website', 0, 1, ?, 1, 1, 1, ?)`),
    addMessage: db.prepare(`INSERT INTO messages (team_id, conversation_id, sort_number, id, contact_id, agent_id, type,
      origin, sent_via, content, content_folded, created_at) VALUES (?, ?, ?, ?, ?, ?, 'message', 'chat', 'api', ?, ?, ?)`),
    touch: db.prepare(`UPDATE conversations SET unread_messages = 0, last_message_at = ?, last_message_number = ?,
      last_sort_number = ?, message_count = message_count + 1 WHERE team_id = ? AND id = ?`),
    count: db.prepare(`UPDATE team_counters SET event_number = event_number + ?, contacts = contacts + ?,
      conversations = conversations + ? WHERE team_id = ? RETURNING event_number`),
    addEvent: db.prepare(`INSERT INTO events (team_id, number, id, name, conversation_id, contact_id, actor, data,
      occurred_at) VALUES (?, ?, ?, ?, ?, ?, '{}', ?, ?)`),
    messages: db.prepare(
      "SELECT id, content, type, origin, created_at FROM messages WHERE team_id = ? AND conversation_id = ? ORDER BY sort_number DESC LIMIT 20",
    ),
    conversations: db.prepare(`SELECT id, contact_id, is_resolved, unread_messages, created_at FROM conversations
      WHERE team_id = ? ORDER BY is_resolved, last_message_at DESC, id DESC LIMIT 10`),
    total: db.prepare("SELECT contacts, conversations FROM team_counters WHERE team_id = ?"),
    search: db.prepare(`SELECT * FROM contacts WHERE team_id = ? AND row_key IN (SELECT rowid FROM contact_search
      WHERE contact_search MATCH ?) ORDER BY last_active_at DESC, id DESC LIMIT 10`),
    found: db.prepare(`SELECT count(*) AS total FROM contacts WHERE team_id = ? AND row_key IN (SELECT rowid FROM
      contact_search WHERE contact_search MATCH ?)`),
  };
  const transaction = <T>(act: () => T): T => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const result = act();
      db.exec("COMMIT");
      return result;
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  };
  return {
    authenticate: async (hash) => sql.key.get(hash) as unknown as Key,
    message: async ({ team_id, agent_id }, conversationId, content) =>
      transaction(() => {
        const conversation = sql.conversation.get(team_id, conversationId) as {
          contact_id: string;
          last_sort_number: number;
        };
        const contact = sql.contact.get(team_id, conversation.contact_id);
        const agent = sql.agent.get(team_id, agent_id);
        const [id, now, number] = [randomUUID(), Date.now(), conversation.last_sort_number + 1];
        const contactId = conversation.contact_id;
        sql.addMessage.run(team_id, conversationId, number, id, contactId, agent_id, content, content, now);
        sql.touch.run(now, number, number, team_id, conversationId);
        const { event_number } = sql.count.get(1, 0, 0, team_id) as { event_number: number };
        const data = JSON.stringify({ message: { id, content }, contact, agent });
        sql.addEvent.run(team_id, event_number, randomUUID(), "message.sent", conversationId, contactId, data, now);
        return { data: { id, attributes: { content, contact, agent } } };
      }),
    conversation: async ({ team_id }, widgetId, content, name, email) =>
      transaction(() => {
        sql.byEmail.get(team_id, widgetId, email);
        const [contactId, conversationId, id, now] = [randomUUID(), randomUUID(), randomUUID(), Date.now()];
        sql.addContact.run(team_id, contactId, widgetId, name, email, email, `${name}\u001f${email}`, now, now);
        sql.addConversation.run(team_id, conversationId, contactId, widgetId, now, now);
        sql.addMessage.run(team_id, conversationId, 1, id, contactId, null, content, content, now);
        const { event_number } = sql.count.get(3, 1, 1, team_id) as { event_number: number };
        const data = JSON.stringify({ message: { id, content }, contact: { id: contactId, name, email } });
        for (const [index, event] of ["contact.created", "conversation.created", "message.received"].entries()) {
          const number = event_number - 2 + index;
          sql.addEvent.run(team_id, number, randomUUID(), event, conversationId, contactId, data, now);
        }
        return { data: { id, attributes: { content, conversation_id: conversationId, contact: { id: contactId } } } };
      }),
    messages: async ({ team_id }, conversationId) => {
      sql.conversation.get(team_id, conversationId);
      return sql.messages.all(team_id, conversationId);
    },
    conversations: async ({ team_id }) => {
      sql.total.get(team_id);
      return sql.conversations.all(team_id);
    },
    search: async ({ team_id }, needle) => {
      sql.found.get(team_id, `"${needle}"`);
      return sql.search.all(team_id, `"${needle}"`);
    },
  };
}

function postgresFloor(connectionString: string): Floor {
  const pool = new pg.Pool({ connectionString, max: 20 });
  const rows = async (name: string, text: string, values: unknown[]) => (await pool.query({ name, text, values })).rows;
  return {
    authenticate: async (hash) =>
      (await rows("key", "SELECT team_id, agent_id FROM api_keys WHERE key_hash = $1", [hash]))[0],
    async message({ team_id, agent_id }, conversationId, content) {
      const text = `WITH counter AS (UPDATE team_counters SET event_number = event_number + 1 WHERE team_id = $1
          RETURNING event_number),
        conversation AS (UPDATE conversations SET unread_messages = 0, last_message_at = $5,
          last_message_number = last_sort_number + 1, last_sort_number = last_sort_number + 1,
          message_count = message_count + 1 WHERE team_id = $1 AND id = $2 RETURNING contact_id, last_sort_number),
        message AS (INSERT INTO messages (team_id, conversation_id, sort_number, id, contact_id, agent_id, type, origin,
          sent_via, content, content_folded, created_at) SELECT $1, $2, last_sort_number, $4, contact_id, $6, 'message',
          'chat', 'api', $3, $3, $5 FROM conversation),
        event AS (INSERT INTO events (team_id, number, id, name, conversation_id, contact_id, actor, data, occurred_at)
          SELECT $1, event_number, $7, 'message.sent', $2, contact_id, '{}', $3, $5 FROM counter, conversation)
        SELECT contacts.id, contacts.name, agents.name AS agent FROM conversation JOIN contacts ON contacts.team_id = $1
          AND contacts.id = conversation.contact_id JOIN agents ON agents.team_id = $1 AND agents.id = $6`;
      const id = randomUUID();
      const values = [team_id, conversationId, content, id, Date.now(), agent_id, randomUUID()];
      const [contact] = await rows("message", text, values);
      return { data: { id, attributes: { content, contact } } };
    },
    async conversation({ team_id }, widgetId, content, name, email) {
      const find = `SELECT id FROM contacts WHERE team_id = $1 AND widget_id = $2 AND email_folded = $3
        ORDER BY last_active_at DESC, id DESC LIMIT 1`;
      await rows("byEmail", find, [team_id, widgetId, email]);
      const text = `WITH counter AS (UPDATE team_counters SET event_number = event_number + 3, contacts = contacts + 1,
          conversations = conversations + 1 WHERE team_id = $1 RETURNING event_number),
        contact AS (INSERT INTO contacts (team_id, id, widget_id, name, email, email_folded, phone_digits, search_text,
          bgcolor, online_status, last_active_at, is_name_updated, created_at)
          VALUES ($1, $2, $3, $4, $5, $5, '', $4 || chr(31) || $5, '#000000', 'offline', $6, 0, $6)),
        conversation AS (INSERT INTO conversations (team_id, id, contact_id, account_id, widget_id, channel, is_resolved,
          unread_messages, last_message_at, last_message_number, last_sort_number, message_count, created_at)
          VALUES ($1, $7, $2, $3, $3, 'website', 0, 1, $6, 1, 1, 1, $6)),
        message AS (INSERT INTO messages (team_id, conversation_id, sort_number, id, contact_id, type, origin, sent_via,
          content, content_folded, created_at) VALUES ($1, $7, 1, $8, $2, 'message', 'chat', 'api', $9, $9, $6))
        INSERT INTO events (team_id, number, id, name, conversation_id, contact_id, actor, data, occurred_at)
          SELECT $1, event_number - 2 + step, gen_random_uuid()::text, 'message.received', $7, $2, '{}', $9, $6
          FROM counter, generate_series(0, 2) AS step`;
      const [contactId, conversationId, id] = [randomUUID(), randomUUID(), randomUUID()];
      const values = [team_id, contactId, widgetId, name, email, Date.now(), conversationId, id, content];
      await rows("conversation", text, values);
      return { data: { id, attributes: { content, conversation_id: conversationId, contact: { id: contactId } } } };
    },
    async messages({ team_id }, conversationId) {
      const text = `SELECT id, content, type, origin, created_at FROM messages WHERE team_id = $1
        AND conversation_id = $2 ORDER BY sort_number DESC LIMIT 20`;
      const find = "SELECT * FROM conversations WHERE team_id = $1 AND id = $2";
      await rows("find", find, [team_id, conversationId]);
      return rows("messages", text, [team_id, conversationId]);
    },
    async conversations({ team_id }) {
      const text = `SELECT id, contact_id, is_resolved, unread_messages, created_at FROM conversations WHERE team_id = $1
        ORDER BY is_resolved, last_message_at DESC, id DESC LIMIT 10`;
      await rows("total", "SELECT contacts, conversations FROM team_counters WHERE team_id = $1", [team_id]);
      return rows("conversations", text, [team_id]);
    },
    async search({ team_id }, needle) {
      const text = `SELECT * FROM contacts WHERE team_id = $1 AND search_text LIKE $2
        ORDER BY last_active_at DESC, id DESC LIMIT 10`;
      const total = "SELECT count(*) FROM contacts WHERE team_id = $1 AND search_text LIKE $2";
      await rows("found", total, [team_id, `%${needle}%`]);
      return rows("search", text, [team_id, `%${needle}%`]);
    },
  };
}
