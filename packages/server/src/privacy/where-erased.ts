/**
 * What happens to every column when a contact is erased (docs/decisions/0053-erasing.md). A column without a line here does not
 * compile, `where-erased.test.ts` compares the list with the schema of both engines, and `stories/house/file-places.test.ts` with the
 * source files that write to a disk or bucket.
 */
import type { Tables } from "../storage/tables.ts";

/**
 * - `with contact`, `with conversation`, `with message`: the row is deleted
 * - `emptied`: the column of a row that stays is null or empty afterwards
 * - `rewritten`: what names the contact in it is taken out
 * - `kept`: it holds nothing of the contact, or the reason says why it stays
 * - `ages out`: it goes after the time that the reason says
 */
export type Fate =
  | "with contact"
  | "with conversation"
  | "with message"
  | { emptied: string }
  | { rewritten: string }
  | { kept: string }
  | { agesOut: string };

/** One fate for the whole row, or one for each column of a row that stays. */
type FateOfTable<T extends keyof Tables> = Fate | { columns: { [Column in keyof Tables[T]]: Fate } };

const ID = { kept: "an id that leads to nothing" } as const;
const OF_TEAM = { kept: "about the team, not about its contacts" } as const;
const COUNT = { kept: "a number, reduced by what was erased" } as const;
const ITS_TIME = { kept: "a time or a number without a name" } as const;
const KEEPS_LOG = { kept: "the log has no gap" } as const;

export const whereErased: { [T in keyof Tables]: FateOfTable<T> } = {
  contacts: "with contact",
  contact_identities: "with contact",
  page_visits: "with contact",
  custom_data: "with contact",
  visitor_sessions: "with contact",
  holds: "with contact",
  exports: "with contact",
  ai_contact_usage: "with contact",

  conversations: "with conversation",
  assignments: "with conversation",
  conversation_tags: "with conversation",
  mentions: "with conversation",
  drafts: "with conversation",
  held_replies: "with conversation",
  own_reads: "with conversation",
  visitor_mails: "with conversation",
  queued_changes: "with conversation",
  ai_turns: "with conversation",
  ai_runs: "with conversation",
  ai_messages: "with conversation",
  article_origins: "with conversation",
  erased_conversations: "with conversation",
  erased_contacts: "with contact",

  messages: "with message",
  attachments: "with message",
  external_messages: "with message",
  mails: "with message",
  mail_tokens: "with conversation",
  mail_recipients: "with message",
  mail_suppressions: "with contact",

  mail_imports: {
    columns: {
      team_id: OF_TEAM,
      account_id: OF_TEAM,
      key: { kept: "a hash, so that the mail does not come in again" },
      state: { kept: "one word" },
      raw_file: { emptied: "null; the file goes with the message" },
      message_id: { emptied: "null" },
      sender: { emptied: "null" },
      taken_at: ITS_TIME,
      run_at: ITS_TIME,
      attempts: ITS_TIME,
      error: { emptied: "null" },
      not_spam: { kept: "yes or no" },
      preview: { emptied: "null" },
    },
  },

  events: {
    columns: {
      team_id: OF_TEAM,
      number: KEEPS_LOG,
      id: KEEPS_LOG,
      name: KEEPS_LOG,
      conversation_id: { emptied: "null" },
      contact_id: { emptied: "null; of contact.erased after 30 days" },
      actor: { rewritten: "a visitor has no id" },
      data: { emptied: "{}; of contact.erased after 30 days. In events of others, the name is taken out" },
      occurred_at: KEEPS_LOG,
      version: KEEPS_LOG,
      cause: { kept: "ids of automations" },
      internal: { emptied: "null" },
    },
  },
  episodes: {
    columns: {
      team_id: OF_TEAM,
      conversation_id: { rewritten: "a new id, which leads to nothing; an open one is deleted" },
      number: ITS_TIME,
      opened_at: ITS_TIME,
      opened_by: { kept: "a kind: visitor, agent or automation" },
      opened_by_id: { emptied: "null" },
      waiting_since: ITS_TIME,
      first_reply_at: ITS_TIME,
      first_reply_by: { kept: "an agent" },
      first_reply_ms: ITS_TIME,
      first_reply_open_ms: ITS_TIME,
      replies: ITS_TIME,
      assistant_replies: ITS_TIME,
      last_reply_by: { kept: "an agent" },
      snoozed_since: ITS_TIME,
      snoozed_ms: ITS_TIME,
      resolved_at: ITS_TIME,
      resolved_by: { kept: "an agent or an automation" },
      resolution_ms: ITS_TIME,
      resolution_open_ms: ITS_TIME,
      rating: { kept: "the number alone, for reports" },
      rated_at: ITS_TIME,
    },
  },
  ai_episodes: {
    columns: {
      team_id: OF_TEAM,
      conversation_id: { rewritten: "a new id, which leads to nothing; an open one is deleted" },
      number: ITS_TIME,
      day: ITS_TIME,
      begun_at: ITS_TIME,
      outcome: { kept: "one word" },
      reason: { kept: "one word" },
      ended_at: ITS_TIME,
      last_word: { kept: "one word" },
      last_at: ITS_TIME,
      answers: ITS_TIME,
      answer_ms: ITS_TIME,
      tokens_in: ITS_TIME,
      tokens_out: ITS_TIME,
    },
  },
  outbox_items: {
    columns: {
      team_id: OF_TEAM,
      queue_id: OF_TEAM,
      event_number: KEEPS_LOG,
      receiver: OF_TEAM,
      event_id: KEEPS_LOG,
      event_name: KEEPS_LOG,
      order_key: { emptied: "null" },
      state: { rewritten: "stopped, unless it has ended" },
      attempt: ITS_TIME,
      last_attempt: ITS_TIME,
      run_at: ITS_TIME,
      claim_id: { emptied: "null" },
      created_at: ITS_TIME,
      ended_at: ITS_TIME,
      message_id: { emptied: "null" },
    },
  },
  outbox_attempts: {
    columns: {
      team_id: OF_TEAM,
      queue_id: OF_TEAM,
      event_number: KEEPS_LOG,
      id: ID,
      attempt: ITS_TIME,
      address: { kept: "the URL of the webhook, or the name of the channel" },
      started_at: ITS_TIME,
      duration_ms: ITS_TIME,
      outcome: { kept: "one word" },
      error: { kept: "one word" },
      status: { kept: "a number" },
      response_head: { emptied: "null" },
      response_body: { emptied: "null; empty while the attempt is under way, whose answer is not stored" },
      result: { emptied: "null" },
    },
  },
  tool_calls: {
    columns: {
      team_id: OF_TEAM,
      assistant_id: OF_TEAM,
      id: ID,
      tool: OF_TEAM,
      arguments: {
        emptied:
          "{} where they name the contact or a conversation, or hold the text of a redacted message; other searches age out after 90 days",
      },
      outcome: { kept: "one word" },
      message: { emptied: "null, with the arguments" },
      duration_ms: ITS_TIME,
      called_at: ITS_TIME,
    },
  },
  files: {
    columns: {
      team_id: OF_TEAM,
      id: { agesOut: "the row goes when the content is gone, at once or as soon as the storage answers" },
      token_hash: { agesOut: "with the row" },
      name: { emptied: "empty" },
      mime: { agesOut: "with the row" },
      size: { agesOut: "with the row" },
      state: { rewritten: "removing" },
      sent_by: { agesOut: "with the row" },
      created_at: { rewritten: "0, so that the clean-up takes it" },
      used_at: { emptied: "null" },
    },
  },
  timers: {
    columns: {
      team_id: OF_TEAM,
      kind: OF_TEAM,
      subject_id: "with conversation",
      due_at: ITS_TIME,
      armed_for: ITS_TIME,
      data: { kept: "no kind with a conversation has data" },
      attempts: ITS_TIME,
      last_error: "with conversation",
      failed_at: ITS_TIME,
    },
  },
  jobs: {
    columns: {
      team_id: OF_TEAM,
      id: ID,
      kind: OF_TEAM,
      payload_sealed: { agesOut: "sealed, and emptied when the job ends" },
      state: OF_TEAM,
      attempts: ITS_TIME,
      run_at: ITS_TIME,
      lease_until: ITS_TIME,
      claim_id: ID,
      last_error: { emptied: "null where it names the contact" },
      created_at: ITS_TIME,
      queue_key: OF_TEAM,
      queue_number: ITS_TIME,
      cause: { kept: "ids of automations" },
    },
  },
  idempotency_keys: { agesOut: "sealed answers, after 24 hours" },
  confirmations: { agesOut: "hashes, after 5 minutes" },
  audit_log: {
    columns: {
      team_id: OF_TEAM,
      id: ID,
      at: ITS_TIME,
      actor_kind: OF_TEAM,
      actor_id: { kept: "who of the team did it" },
      action: OF_TEAM,
      what: {
        rewritten: "the reason of a hold or a redaction is taken out; ids stay: who erased which contact can be shown",
      },
      ip: { kept: "the address of who did it" },
    },
  },
  erasures: {
    columns: {
      team_id: OF_TEAM,
      id: ID,
      what: OF_TEAM,
      contact_id: { agesOut: "null after 30 days" },
      conversation_id: { agesOut: "null after 30 days" },
      message_id: { kept: "an id that leads to an emptied message" },
      widget_id: OF_TEAM,
      agent_id: { kept: "a member of the team" },
      text_sealed: { emptied: "null, once the text is erased where an assistant has repeated it" },
      state: OF_TEAM,
      reason: { kept: "shows why it was erased; the form asks not to name the person" },
      requested_by: { kept: "who of the team asked for it" },
      requested_at: ITS_TIME,
      finished_at: ITS_TIME,
      erased: COUNT,
    },
  },
  retention: OF_TEAM,
  team_counters: COUNT,
  list_counts: COUNT,

  outbox_queues: { kept: "a queue of a webhook or channel; its last error is one word and a status" },
  installation: OF_TEAM,
  schema_migrations: OF_TEAM,
  teams: OF_TEAM,
  agents: { kept: "members of the team" },
  sign_ins: { kept: "members of the team" },
  invitations: { kept: "members of the team" },
  sessions: { kept: "browsers of the team" },
  authenticator_apps: { kept: "members of the team" },
  passkeys: { kept: "members of the team" },
  recovery_codes: { kept: "members of the team" },
  known_browsers: { kept: "browsers of the team" },
  second_steps: { kept: "members of the team" },
  code_failures: { kept: "members of the team" },
  used_challenges: OF_TEAM,
  password_resets: { kept: "members of the team" },
  api_keys: OF_TEAM,
  assistants: OF_TEAM,
  app_grants: OF_TEAM,
  app_tokens: OF_TEAM,
  widgets: OF_TEAM,
  widget_directory: OF_TEAM,
  channel_accounts: OF_TEAM,
  channel_doors: { kept: "addresses of the team that programs post to" },
  mail_folders: { kept: "numbers of mails, of an account of the team" },
  mail_grants: OF_TEAM,
  mail_readers: OF_TEAM,
  sso_providers: OF_TEAM,
  ai_settings: OF_TEAM,
  ai_usage: OF_TEAM,
  sso_identities: { kept: "accounts of members of the team" },
  sso_domains: OF_TEAM,
  sso_domain_directory: OF_TEAM,
  break_glass_owners: { kept: "members of the team" },
  sso_logouts: OF_TEAM,
  channel_directory: { kept: "accounts of the team; contacts are in contact_identities" },
  tags: { kept: "words of the team" },
  custom_fields: { kept: "names of fields; the values are in custom_data" },
  articles: { kept: "written for everyone" },
  article_sites: OF_TEAM,
  site_pages: { kept: "pages that the team has published" },
  knowledge_words: { kept: "words of articles" },
  article_words: { kept: "words of articles" },
  article_vectors: { kept: "meanings of articles" },
  article_vector_versions: OF_TEAM,
  canned_replies: { kept: "written for everyone" },
  saved_views: { kept: "filters of agents" },
  preferences: { kept: "settings of agents" },
  webhooks: OF_TEAM,
};

/** Outside of the tables. */
export const elsewhereErased = {
  /** SQLite's search index; PostgreSQL's is an index of `contacts`. */
  contact_search: "with contact",
  /** DATA_DIR/files, or the bucket. */
  "files/": "with message",
  /** The originals of mails, in the same place. */
  "files/ of mails": "with message",
  /** The zip files of exports, in the same place: also when anything that they hold is erased. */
  "files/ of exports": "with contact",
  /** Uploads that have not ended, and exports that are being made: an hour. */
  "files/receiving": { agesOut: "after an hour" },
  presence: { emptied: "the stream is closed in every process; in Redis it ends with its time" },
  backups: { rewritten: "an older backup is erased again when it is restored" },
  log: { kept: "names no contact" },
} as const satisfies Record<string, Fate>;

const NO_PERSON = { kept: "names no contact" } as const;

/** The source files that write to a disk or bucket, and the places they write to. */
export const fileWriters: Readonly<Record<string, keyof typeof elsewhereErased | Fate>> = {
  "files/receive-upload.ts": "files/",
  "files/drafts.ts": "files/receiving",
  "files/disk-files.ts": "files/",
  "email/in/take-mail.ts": "files/ of mails",
  "email/in/import-mail-job.ts": "files/ of mails",
  "email/out/raw-mail.ts": "files/ of mails",
  "email/lmtp/deliver-mail.ts": "files/receiving",
  "demo/keep-originals.ts": "files/ of mails",
  "privacy/export-job.ts": "files/ of exports",
  "privacy/erasure-log.ts": { kept: "keyed hashes of what was erased, so that a restored backup is erased again" },
  "backup/write-backup.ts": "backups",
  "backup/bring-files.ts": "files/",
  "backup/erase-again.ts": { kept: "the log of erasures of a restored backup" },
  "storage/sqlite.ts": { rewritten: "the database: see the tables" },
  "storage/sqlite-servers.ts": NO_PERSON,
  "access/vault-key-file.ts": NO_PERSON,
  "doctor/check-files.ts": NO_PERSON,
};
