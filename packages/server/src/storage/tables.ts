import type { GeneratedAlways } from "kysely";

/**
 * The tables as the query builder sees them; `migrations/` creates them.
 *
 * Common to both engines: ids are UUIDv7 in lower case, times are integers (ms since the epoch), flags are 0 or 1, lists and
 * nested values are JSON text, `*_folded` columns hold `foldText` of their twin, `content_folded` what `searchable` makes. Every table has `team_id`, and every key
 * begins with it, except for those that `table-kinds.ts` lists.
 */
export interface Tables {
  installation: { name: string; value: string };
  schema_migrations: { number: number; name: string; breaking: number; applied_at: number };
  teams: TeamRow;
  team_counters: TeamCountersRow;
  list_counts: ListCountRow;
  agents: AgentRow;
  sign_ins: { email_folded: string; team_id: string; agent_id: string };
  invitations: InvitationRow;
  api_keys: ApiKeyRow;
  widgets: WidgetRow;
  widget_directory: { widget_id: string; team_id: string };
  channel_accounts: ChannelAccountRow;
  /** Finds the account of a callback secret by its hash. */
  channel_doors: { secret_hash: string; team_id: string; account_id: string };
  channel_directory: { channel: string; provider_key: string; team_id: string; account_id: string };
  contacts: ContactRow;
  contact_identities: ContactIdentityRow;
  page_visits: PageVisitRow;
  conversations: ConversationRow & GeneratedOfConversation;
  episodes: EpisodeRow;
  assignments: AssignmentRow;
  tags: TagRow;
  conversation_tags: ConversationTagRow;
  custom_fields: CustomFieldRow;
  custom_data: CustomDataRow;
  articles: ArticleRow;
  knowledge_words: KnowledgeWordRow;
  article_words: ArticleWordRow;
  article_vectors: ArticleVectorRow;
  article_vector_versions: ArticleVectorVersionRow;
  messages: MessageRow;
  attachments: AttachmentRow;
  external_messages: ExternalMessageRow;
  webhooks: WebhookRow;
  outbox_queues: OutboxQueueRow;
  outbox_items: OutboxItemRow;
  outbox_attempts: OutboxAttemptRow;
  events: EventRow;
  idempotency_keys: IdempotencyKeyRow;
  jobs: JobRow;
  timers: TimerRow;
  assistants: AssistantRow;
  app_grants: AppGrantRow;
  app_tokens: AppTokensRow;
  confirmations: ConfirmationRow;
  visitor_sessions: VisitorSessionRow;
  visitor_mails: VisitorMailRow;
  tool_calls: ToolCallRow;
  queued_changes: QueuedChangeRow;
  files: FileRow;
  sessions: SessionRow;
  authenticator_apps: AuthenticatorAppRow;
  passkeys: PasskeyRow;
  recovery_codes: RecoveryCodeRow;
  known_browsers: KnownBrowserRow;
  second_steps: SecondStepRow;
  code_failures: CodeFailuresRow;
  used_challenges: UsedChallengeRow;
  password_resets: PasswordResetRow;
  audit_log: AuditRow;
  mentions: MentionRow;
  drafts: DraftRow;
  canned_replies: CannedReplyRow;
  saved_views: SavedViewRow;
  preferences: PreferencesRow;
  own_reads: OwnReadRow;
  held_replies: HeldReplyRow;
  erasures: ErasureRow;
  erased_conversations: ErasedConversationRow;
  erased_contacts: ErasedContactRow;
  retention: RetentionRow;
  holds: HoldRow;
  exports: ExportRow;
  mail_imports: MailImportRow;
  mails: MailRow;
  mail_tokens: MailTokenRow;
  mail_recipients: MailRecipientRow;
  mail_suppressions: MailSuppressionRow;
  mail_folders: MailFolderRow;
  mail_grants: MailGrantRow;
  mail_readers: { id: string; lease_until: number };
  sso_providers: SsoProviderRow;
  sso_identities: SsoIdentityRow;
  sso_domains: SsoDomainRow;
  /** Finds the team of a proven domain. */
  sso_domain_directory: { domain: string; team_id: string };
  /** Owners who keep their password where SSO is required. */
  break_glass_owners: { team_id: string; agent_id: string };
  /** Tokens of back-channel logouts that were taken; each counts once. */
  sso_logouts: { team_id: string; provider_id: string; token_id: string; expires_at: number };
  ai_settings: AiSettingsRow;
  ai_usage: AiUsageRow;
  ai_contact_usage: AiContactUsageRow;
  ai_turns: AiTurnRow;
  ai_runs: AiRunRow;
  ai_messages: AiMessageRow;
  ai_episodes: AiEpisodeRow;
  article_sites: ArticleSiteRow;
  site_pages: SitePageRow;
  article_origins: ArticleOriginRow;
}

/** A mail with replies that was sent to a visitor. Deleted after an hour. */
export interface VisitorMailRow {
  team_id: string;
  email_folded: string;
  conversation_id: string;
  /** The sort number of the last reply in it. */
  up_to: number;
  sent_at: number;
}

export interface TeamRow {
  team_id: string;
  name: string;
  /** 0: every API key of the team is answered with 403. */
  api_access: number;
  created_at: number;
  /** Whether visitors may ask for their data. */
  data_requests: number;
  /** Who must have a second factor: nobody, admins or everybody. */
  factor_rule: string;
  /** Whether agents may have browsers spared the second step. */
  trusts_browsers: number;
}

/**
 * The team's totals, and the number of its last event. One row a team, locked by the team's writer for the length of a commit:
 * event numbers have no gap, and lists are not counted.
 */
export interface TeamCountersRow {
  team_id: string;
  event_number: number;
  contacts: number;
  conversations: number;
  open_conversations: number;
  agents: number;
  widgets: number;
  webhooks: number;
  articles: number;
  published_articles: number;
}

/** How many rows of a list ordered by time fall into a period; `lists/list-start.ts` finds deep pages by it. */
export interface ListCountRow {
  team_id: string;
  /** A `TimedList`. */
  list: string;
  /** The time of the rows, in whole periods since the epoch. */
  period: number;
  count: number;
}

export interface AgentRow {
  team_id: string;
  id: string;
  email: string;
  email_folded: string;
  name: string | null;
  role: string;
  status: string;
  online_status: string;
  profile_photo_url: string | null;
  resized_profile_photo_url: string | null;
  /** argon2id, in the PHC string format; null until the agent has chosen a password. */
  password_hash: string | null;
  created_at: number;
  /** When they were last seen in a live stream; 0 for never. */
  last_active_at: number;
  /** auto, or away: shown as away whenever they are online. */
  availability: string;
  /** When their personal data was deleted; null for all others. Only a deactivated agent can be removed. */
  removed_at: number | null;
  /** The channel account that it speaks for, and is no person (`agents/agent-of-account.ts`); null for people. */
  account_id: string | null;
}

/** A browser that an agent is signed in with; it is deleted when it ends. */
export interface SessionRow {
  team_id: string;
  id: string;
  agent_id: string;
  /** SHA-256 of the token in the cookie, hexadecimal. */
  token_hash: string;
  created_at: number;
  /** Written at most once a minute. */
  last_seen_at: number;
  ip: string | null;
  user_agent: string | null;
  /** How it began (`core/domain/ways-in.ts`). */
  way_in: string;
  /** When its agent last proved who they are. */
  verified_at: number;
  /** SHA-256 of the token that the last proof has replaced; requests that were on their way may still bring it. */
  replaced_hash: string | null;
  /** everything, or enrolment: its agent has to add a second factor first. */
  reach: string;
  /** The provider that signed them in; null for other ways. */
  sso_provider_id: string | null;
  /** The provider's name of its session, by which it can end ours. */
  sso_sid: string | null;
  /** When the person proved who they are to the provider, ms since 1970; null when it does not say. */
  auth_time: number | null;
  /** How they did, in the words of the provider (`amr`), separated by spaces. */
  amr: string | null;
  /** It is over then, however much it is used; null: by the rules of all sessions alone. */
  ends_at: number | null;
}

/** An authenticator app of an agent; without `confirmed_at` it was never shown to work, and counts for nothing. */
export interface AuthenticatorAppRow {
  team_id: string;
  id: string;
  agent_id: string;
  secret_sealed: string;
  /** The step of the last code that counted: each counts once. */
  last_step: number;
  created_at: number;
  confirmed_at: number | null;
  last_used_at: number | null;
}

/** A passkey of an agent. */
export interface PasskeyRow {
  team_id: string;
  id: string;
  agent_id: string;
  /** As the authenticator names it, base64url. */
  credential_id: string;
  /** COSE, base64url. */
  public_key: string;
  /** The id that authenticators keep for the agent, base64url; the same for all of their passkeys. */
  user_handle: string;
  /** The host it was made for: it works at no other one. */
  rp_id: string;
  /** 0 for one that does not count. */
  counter: number;
  /** JSON: how the browser can reach it. */
  transports: string;
  /** Whether it is backed up by its provider, and so on several devices. */
  is_synced: number;
  name: string;
  created_at: number;
  last_used_at: number | null;
}

/** A recovery code that was not used yet. */
export interface RecoveryCodeRow {
  team_id: string;
  agent_id: string;
  /** SHA-256, hexadecimal. */
  code_hash: string;
  created_at: number;
}

/** A browser in which an agent has signed in. */
export interface KnownBrowserRow {
  team_id: string;
  id: string;
  agent_id: string;
  /** SHA-256 of the token in its cookie, hexadecimal. */
  token_hash: string;
  created_at: number;
  last_used_at: number;
  user_agent: string | null;
  /** Until when it is spared the second step; null when it is not trusted. */
  trusted_until: number | null;
}

/** A sign-in with the right password that waits for its second step. */
export interface SecondStepRow {
  team_id: string;
  /** SHA-256 of the token in the cookie, hexadecimal. */
  token_hash: string;
  agent_id: string;
  expires_at: number;
  /** The provider that has named the agent; null after a password. */
  sso_provider_id: string | null;
  sso_sid: string | null;
  /** JSON: what else of the sign-in its session stores (`sessions/open-session.ts`). */
  sso: string | null;
}

/** Wrong codes of an agent. */
export interface CodeFailuresRow {
  team_id: string;
  agent_id: string;
  /** When the first of them was. */
  since: number;
  failures: number;
}

/** A challenge of passkeys that was answered: none counts twice. */
export interface UsedChallengeRow {
  team_id: string;
  challenge_hash: string;
  expires_at: number;
}

/** A link that lets an agent choose a new password. */
export interface PasswordResetRow {
  team_id: string;
  agent_id: string;
  /** SHA-256 of the token in the link, hexadecimal. */
  token_hash: string;
  created_at: number;
  expires_at: number;
}

/** A line of the audit log: a change of settings or access. */
export interface AuditRow {
  team_id: string;
  id: string;
  at: number;
  /** The kind of the actor, and its id as in the event log. */
  actor_kind: string;
  actor_id: string | null;
  /** The name of the operation. */
  action: string;
  /** JSON: what was changed, as names and ids. */
  what: string;
  ip: string | null;
}

export interface InvitationRow {
  team_id: string;
  agent_id: string;
  /** SHA-256 of the token in the link, hexadecimal. */
  token_hash: string;
  invited_by: string | null;
  created_at: number;
  expires_at: number;
}

export interface ApiKeyRow {
  team_id: string;
  id: string;
  name: string;
  /** SHA-256 of the whole key, hexadecimal. */
  key_hash: string;
  /** The last four characters, which identify a key in a list. */
  key_ending: string;
  /** JSON array of scopes. */
  scopes: string;
  /** The agent who made the key: messages sent without an `agent_id` are theirs (decision 21). */
  agent_id: string;
  created_at: number;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

export interface WidgetRow {
  team_id: string;
  id: string;
  name: string | null;
  icon: string | null;
  /** JSON of what the owner has set (`core/domain/widget-settings.ts`); null while nothing was. */
  settings: string | null;
  created_at: number;
  /** The secret that identity tokens are signed with, sealed by the vault; null before the owner asked for one. */
  identity_secret_sealed: string | null;
  identity_secret_at: number | null;
  /** When a page other than ours has loaded it first, and last; null while none has. */
  first_seen_at: number | null;
  last_seen_at: number | null;
  /** The origin of the last such page; null when the browser did not send it. */
  seen_on: string | null;
  /** Since when it is unknown everywhere; its row stays until its last contact is erased (`privacy/remove-widget.ts`). */
  removed_at: number | null;
}

/** Where conversations are received and replies sent: a widget, a mailbox, a phone number, a page. */
export interface ChannelAccountRow {
  team_id: string;
  /** Of a widget: the widget's own id. */
  id: string;
  /** A `Channel`. */
  channel: string;
  /** Null for a widget, whose name is in `widgets`. */
  name: string | null;
  /** The brand that its contacts belong to; of a widget: itself. */
  home_widget_id: string;
  /** A `ChannelAccountState`. */
  state: string;
  /** A sentence. */
  state_reason: string | null;
  /** The same by name (`channels/stored-reason.ts`); null for one of before, and where there is none. */
  state_reason_named: string | null;
  /** The provider's id of it, unique over all teams (`channel_directory`); null for a widget. */
  provider_key: string | null;
  /** JSON: the other settings of its driver, without secrets. */
  settings: string;
  /** JSON, sealed by the vault; null where there is no secret. */
  secrets_sealed: string | null;
  /** Written at most once a minute. */
  last_received_at: number | null;
  last_sent_at: number | null;
  created_at: number;
  /** Nothing is received or sent any more; its conversations stay. */
  deleted_at: number | null;
}

/** The identity of a contact in an account: an address, or a provider's id. */
export interface ContactIdentityRow {
  team_id: string;
  account_id: string;
  /** A kind that the channel's driver defines. */
  kind: string;
  /** In the driver's canonical form: two that differ are two identities. */
  value: string;
  contact_id: string;
}

/** The external id of a message, so that repeated imports are recognised. */
export interface ExternalMessageRow {
  team_id: string;
  account_id: string;
  external_id: string;
  /** in or out */
  direction: string;
  conversation_id: string;
  message_id: string;
}

export interface ContactRow {
  team_id: string;
  id: string;
  /** The home widget of the account by which it came first. */
  widget_id: string;
  /** The channel of that account. */
  channel: string;
  name: string | null;
  email: string | null;
  email_folded: string | null;
  phone: string | null;
  /** Only the digits of `phone`, for search; empty without a phone. */
  phone_digits: string;
  /** Name and e-mail as `searchText` folds them. */
  search_text: string;
  country_dialing_code: string | null;
  bgcolor: string;
  location: string | null;
  browser_type: string | null;
  country: string | null;
  country_code: string | null;
  online_status: string;
  last_active_at: number;
  blocked_at: number | null;
  is_name_updated: number;
  verified_id: string | null;
  verified_email: string | null;
  /** Who gave the e-mail and the phone (`DetailSource`); null: not known, or there is none. */
  email_source: string | null;
  phone_source: string | null;
  timezone: string | null;
  language: string | null;
  ip: string | null;
  operating_system: string | null;
  /** JSON: further details from initialize (preferred language, marketplace, simulator, auto-submitted form). */
  intake: string | null;
  created_at: number;
  /** How many conversations it has. */
  conversation_count: number;
}

export interface PageVisitRow {
  team_id: string;
  contact_id: string;
  id: string;
  page: string;
  visited_at: number;
  /** The widget of the contact. */
  widget_id: string | null;
}

export interface ConversationRow {
  team_id: string;
  id: string;
  contact_id: string;
  /** The channel account that it belongs to; never changes. */
  account_id: string;
  /** The home widget of the account. */
  widget_id: string;
  /** The channel of the account. */
  channel: string;
  is_resolved: number;
  resolved_at: number | null;
  /** JSON: `{agent: {…}}`, `{automation: {…}}` or `{system: {}}`. */
  resolved_by: string | null;
  reopened_at: number | null;
  unread_messages: number;
  /** When the last message that is not a system line was written. */
  last_message_at: number;
  /** The sort number of that message; the messages of a conversation are numbered 1, 2, 3 … without a gap. */
  last_message_number: number;
  /** The highest sort number, system lines included. */
  last_sort_number: number;
  /** How many messages the REST list holds (all but system lines). */
  message_count: number;
  first_page_url: string | null;
  created_at: number;
  /** When an assistant requested a person; null when none has, or the handoff is over (decision 58). */
  handoff_requested_at: number | null;
  /** The highest sort number that the visitor has seen. */
  visitor_seen_number: number;
  /** The highest sort number that the team has read. */
  team_seen_number: number;
  /** The visitor's rating, 1 to 5; null without one. */
  rating: number | null;
  rating_comment: string | null;
  rated_at: number | null;
  /** The highest sort number of which the visitor was notified by mail. */
  mailed_number: number;
  /** The highest sort number up to which retention has erased the texts and files. */
  texts_erased_to: number;
  /** How many agents are assigned. */
  assigned_count: number;
  /** Until when it is snoozed; null when it is not, or until its visitor writes. */
  snoozed_until: number | null;
  snoozed_until_reply: number;
  /** Since when it is back from a snooze, until an agent replies, resolves it or snoozes it again. */
  woken_at: number | null;
  /** The number of its last episode, which is the open one unless it is resolved. 0: a program has begun it, and no human has written. */
  episode: number;
  /** Since when its visitor waits for an answer; null when none is due. */
  waiting_since: number | null;
  /** When the visitor's first waiting of that episode was ended by a human reply; null when none was. */
  first_reply_at: number | null;
  /** The replies of that episode, and the agent of the last human one. */
  episode_replies: number;
  episode_assistant_replies: number;
  last_reply_by: string | null;
  /** Of the first mail, without prefixes; null in other channels. */
  email_subject: string | null;
  /** What `searchable` makes of it; empty where it is null. */
  email_subject_folded: string;
  /** The channel's own name of the conversation: of a mail conversation, the Message-ID of the first mail. */
  external_identifier: string | null;
  /** Who answers its visitor (`core/domain/ai/ai-settings.ts`): human, ai, or waiting (the AI has handed it over, and no human has written). */
  speaker: string;
  /** JSON: what the AI has done in its episode; null where it has not spoken. */
  ai_state: string | null;
}

/**
 * An open stretch of a conversation (`core/domain/episode.ts` describes each column). While it is open, and after its first reply,
 * waiting and counts are in the row of its conversation.
 */
export interface EpisodeRow {
  team_id: string;
  conversation_id: string;
  number: number;
  opened_at: number;
  opened_by: string | null;
  opened_by_id: string | null;
  waiting_since: number | null;
  first_reply_at: number | null;
  first_reply_by: string | null;
  first_reply_ms: number | null;
  first_reply_open_ms: number | null;
  replies: number;
  assistant_replies: number;
  last_reply_by: string | null;
  snoozed_since: number | null;
  snoozed_ms: number;
  resolved_at: number | null;
  /** JSON, as `ConversationRow.resolved_by`. */
  resolved_by: string | null;
  resolution_ms: number | null;
  resolution_open_ms: number | null;
  rating: number | null;
  rated_at: number | null;
}

/** Computed by the database from the other columns, for the orders of the inbox (migrations 15 and 25). */
interface GeneratedOfConversation {
  /** resolved, snoozed, assigned or unassigned */
  inbox_list: GeneratedAlways<string>;
  /** Of the last message, or when it was woken. */
  active_at: GeneratedAlways<number>;
  /** `waitingRank` of `core/domain/inbox.ts`. */
  waiting_rank: GeneratedAlways<number>;
  /** Of a resolved one: the later of its last message and when it was resolved. */
  quiet_since: GeneratedAlways<number>;
}

export interface AssignmentRow {
  team_id: string;
  conversation_id: string;
  agent_id: string;
  /** JSON, as `ConversationRow.resolved_by`. */
  assigned_by: string;
  created_at: number;
}

export interface TagRow {
  team_id: string;
  id: string;
  /** As it was first written. */
  name: string;
  /** Names with the same folded form are one tag. */
  name_folded: string;
  /** As it was first given, in the words of its creator; null when none was. */
  color: string | null;
  created_at: number;
}

export interface ConversationTagRow {
  team_id: string;
  conversation_id: string;
  tag_id: string;
  created_at: number;
}

/** A name of custom data of contacts; names that differ in anything are two. */
export interface CustomFieldRow {
  team_id: string;
  id: string;
  name: string;
  created_at: number;
}

export interface CustomDataRow {
  team_id: string;
  contact_id: string;
  field_id: string;
  value: string;
  updated_at: number;
  /** Who gave the value (`DetailSource`); null: not known. */
  source: string | null;
}

/** One question of the knowledge base and its answer. */
export interface ArticleRow {
  team_id: string;
  id: string;
  question: string;
  answer: string;
  /** 0: a draft, which no search finds. */
  is_published: number;
  /** The agent who wrote it; null for a program. */
  created_by: string | null;
  created_at: number;
  updated_at: number;
  /** JSON: the words under which it is in `article_words`, with their weights; none while it is a draft. */
  words: string;
  /** Where it comes from: written, site, file or conversation. */
  source: string;
  /** Where it can be read outside, for links; null for none. */
  address: string | null;
  /** The file that it was imported from; null for none. */
  file_name: string | null;
}

/** A site of the team whose pages are articles. */
export interface ArticleSiteRow {
  team_id: string;
  id: string;
  /** Where reading begins: a page, or a sitemap. */
  address: string;
  /** What the address of each page begins with. */
  prefix: string;
  /** waiting, listing, reading, read or removed (`knowledge/site/read-site-job.ts`). */
  state: string;
  /** Why the last reading has not read all of it, by name; null for no reason. */
  problem: string | null;
  /** The value that the sentence of the problem needs: an address, or a status. */
  problem_detail: string | null;
  created_at: number;
  /** When the last reading began, and when the last one ended; null before the first. */
  began_at: number | null;
  read_at: number | null;
}

/** A page of a site. */
export interface SitePageRow {
  team_id: string;
  site_id: string;
  /** 1, 2, 3 … in the order in which they were found. */
  place: number;
  address: string;
  /** 1: the reading that is under way has yet to ask for it. */
  is_due: number;
  /** How many readings in a row have not found it; after the second its articles are drafts. */
  misses: number;
  /** Why the last reading could not read it, by name. */
  problem: string | null;
  etag: string | null;
  last_modified: string | null;
  /** SHA-256 of its title and text; null before it was read. */
  content_hash: string | null;
  /** JSON: its articles, in order. One that an agent has removed is not made again. */
  article_ids: string;
}

/** The conversation that an article was drafted from. */
export interface ArticleOriginRow {
  team_id: string;
  article_id: string;
  conversation_id: string;
}

/** The built-in AI of a team; there is no row until it is set up. */
export interface AiSettingsRow {
  team_id: string;
  /** The id that its deeds are recorded under, and the `account_id` of its agent. */
  ai_id: string;
  /** The agent in whose name it writes. */
  agent_id: string;
  is_active: number;
  name: string;
  base_url: string | null;
  model: string | null;
  embedding_model: string | null;
  api_key_sealed: string | null;
  /** The last characters of the key, to recognise it. */
  api_key_last: string | null;
  instructions: string;
  /** JSON: "all", or the ids of widgets. */
  widgets: string;
  /** JSON: an array of channels. */
  channels: string;
  /** always, outside-hours or nobody-online. */
  answers_when: string;
  /** Whether it resolves conversations. */
  resolves: number;
  /** How long a visitor may be silent after an answer with sources before it resolves; null: it waits for a confirmation. */
  resolve_after_minutes: number | null;
  tokens_a_day: number | null;
  tokens_a_month: number | null;
  /** Whether e-mail addresses, numbers of phones, cards and accounts are replaced before a text goes to the model. */
  redacts: number;
  /** Whether runs keep requests and answers. */
  keeps_runs: number;
  /** Another model of the same server; null: none. */
  second_model: string | null;
  /** JSON: what is always handed over (`HandoffRules`). */
  handoff_rules: string;
  /** Whether visitors see an answer while it is written. */
  streamed: number;
  /** Whether agents see a draft before they ask for one. */
  ghost_text: number;
  /** JSON: the newest failures of the model, and until when it is not asked; null when all is well. */
  breaker: string | null;
  /** The day and the month for which the admins were warned that most of the tokens are spent, with a space between. */
  warned_on: string | null;
  updated_at: number;
}

/** The tokens of a team on one day, in UTC. */
export interface AiUsageRow {
  team_id: string;
  /** YYYY-MM-DD */
  day: string;
  tokens: number;
  /** JSON, of calls under way: an array of `[ms since the epoch, tokens by estimate]`. */
  reservations: string;
}

/** How many answers a contact has got on one day, in UTC. */
export interface AiContactUsageRow {
  team_id: string;
  contact_id: string;
  /** YYYY-MM-DD */
  day: string;
  answers: number;
}

/** A turn of the AI that is due or under way; a conversation has at most one. */
export interface AiTurnRow {
  team_id: string;
  conversation_id: string;
  contact_id: string;
  /** When the first message came that it answers. */
  first_at: number;
  due_at: number;
  /** The sort number of the last visitor's message that it answers. */
  upto: number;
  /** The id of the claim of the process that runs it; null when none does. */
  claim: string | null;
  /** By the steady clock. */
  lease_until: number | null;
  attempts: number;
}

/** A run of the AI: a turn, and how it ended. */
export interface AiRunRow {
  team_id: string;
  id: string;
  conversation_id: string;
  contact_id: string;
  episode: number;
  /** What it wrote; null for nothing. */
  message_id: string | null;
  outcome: string;
  reason: string | null;
  /** JSON: the articles it has cited. */
  sources: string;
  /** The calls of the model with their very requests, sealed; null where they are not kept. */
  details_sealed: string | null;
  tokens_in: number;
  tokens_out: number;
  milliseconds: number;
  created_at: number;
}

/** What is known of a message of the AI besides its text. */
export interface AiMessageRow {
  team_id: string;
  message_id: string;
  conversation_id: string;
  run_id: string | null;
  /** greeting, answer, ask, chat or handoff. */
  kind: string;
  /** JSON: titles and addresses of the articles it cites. */
  sources: string;
}

/** An episode in which the AI has spoken, and how it ended (`core/domain/ai/ai-episode.ts`). */
export interface AiEpisodeRow {
  team_id: string;
  conversation_id: string;
  /** Of the episode in its conversation. */
  number: number;
  /** Of `begun_at`, in UTC: YYYY-MM-DD. */
  day: string;
  /** When the AI first spoke in it. */
  begun_at: number;
  /** open, confirmed, assumed, handed-over, abandoned or reopened. */
  outcome: string;
  /** Why it was handed over; of a reopened one, what it was before. Null while it is open. */
  reason: string | null;
  ended_at: number | null;
  /** cited or uncited, of the AI, or visitor. */
  last_word: string;
  last_at: number;
  answers: number;
  /** From the visitor's first unanswered message to the first answer, in whole tenths of a second; null without one. */
  answer_ms: number | null;
  tokens_in: number;
  tokens_out: number;
}

/** A word of the published articles (`core/domain/text-words.ts`). */
export interface KnowledgeWordRow {
  team_id: string;
  word: string;
  /** The same reversed: words with the same ending are adjacent. */
  backward: string;
  /** How many published articles contain it. */
  articles: number;
}

/** The vectors of a team as a whole. */
export interface ArticleVectorVersionRow {
  team_id: string;
  /** The number of their last change. */
  version: number;
  /** Of the last change that removed some. */
  removed_version: number;
  /** The cosine, in ten-thousandths, from which on a passage is found that words do not find; null: none is. */
  floor: number | null;
  /** A hash of the server, the model and the size that the floor was told for. */
  floor_by: string | null;
}

/** What a passage of a published article means (docs/decisions/0079-hybrid-search.md). */
export interface ArticleVectorRow {
  team_id: string;
  article_id: string;
  /** The number of the passage in the article, from 0. */
  passage: number;
  /** A hash of what it was made of: text, server, model and size. */
  fingerprint: string;
  /** Numbers of 32 bits in base64, of length 1 together. */
  vector: string;
  /** Of the team's vectors, when this one was stored. */
  version: number;
}

/** A word in a published article. */
export interface ArticleWordRow {
  team_id: string;
  word: string;
  article_id: string;
  /** Its weight in the article, 1 to 1,000 (`core/domain/article-ranking.ts`). */
  weight: number;
}

export interface MessageRow {
  team_id: string;
  conversation_id: string;
  sort_number: number;
  id: string;
  contact_id: string | null;
  agent_id: string | null;
  /** message, note, system or reminder. */
  type: string;
  /** chat, or the channel it came through. */
  origin: string;
  /** How it was sent: widget, dashboard, api, assistant or automation. Private. */
  sent_via: string;
  content: string | null;
  content_folded: string;
  created_at: number;
  /** Made by the visitor's browser, so that a message sent again is recognised; null for all others. */
  client_id: string | null;
  /** Whether the copilot has written a part of it. Private. */
  drafted_with_ai: number;
}

/** A mention of an agent in a note. */
export interface MentionRow {
  team_id: string;
  conversation_id: string;
  sort_number: number;
  agent_id: string;
  /** 1: the agent has read it. */
  is_read: number;
}

/** The draft of an agent. */
export interface DraftRow {
  team_id: string;
  agent_id: string;
  conversation_id: string;
  /** reply or note */
  mode: string;
  content: string;
  updated_at: number;
  /** email: it was a reply that was held when a mail came in; null for any other. */
  returned_by: string | null;
}

export interface CannedReplyRow {
  team_id: string;
  id: string;
  /** Its owner; null for the team's. */
  agent_id: string | null;
  name: string;
  name_folded: string;
  content: string;
  updated_at: number;
}

export interface SavedViewRow {
  team_id: string;
  agent_id: string;
  id: string;
  name: string;
  /** JSON (`core/domain/inbox.ts`). */
  query: string;
}

/** An agent's preferences for the dashboard. */
export interface PreferencesRow {
  team_id: string;
  agent_id: string;
  /** JSON (`core/contract/inbox.ts`). */
  value: string;
}

/** How far an agent has read a conversation; the team's own is `ConversationRow.team_seen_number`. */
export interface OwnReadRow {
  team_id: string;
  agent_id: string;
  conversation_id: string;
  /** The highest sort number. */
  read_number: number;
}

/** A reply that its agent can still undo, or what is left of one that was not sent (`inbox/hold-reply.ts` has the diagram). */
export interface HeldReplyRow {
  team_id: string;
  /** The id of the message that it becomes, made by the browser. */
  client_id: string;
  agent_id: string;
  conversation_id: string;
  /** held, undone, returned or returned-by-email */
  state: string;
  /** JSON: the input of `send-from-inbox`; null when it is not held any more. */
  reply: string | null;
  created_at: number;
}

export interface AttachmentRow {
  team_id: string;
  message_id: string;
  position: number;
  url: string;
  name: string | null;
  type: string | null;
  mime: string | null;
  size: number | null;
  /** Of the conversation. */
  account_id: string | null;
  /** Of the message. */
  created_at: number | null;
}

/** An uploaded file; its content is in `files/`. */
export interface FileRow {
  team_id: string;
  id: string;
  /** SHA-256 of the token in its address, hexadecimal. */
  token_hash: string;
  name: string;
  /** Detected from its content, not the declared type. */
  mime: string;
  /** In bytes. */
  size: number;
  /** receiving, or stored when it is complete. */
  state: string;
  /** Its owner: `visitor:<token hash>`, `agent:<id>`, `key:<id>`, `channel:<account id>`. */
  sent_by: string;
  created_at: number;
  /** When a message used it; null for one that no message uses, which is deleted after a day. */
  used_at: number | null;
}

export interface WebhookRow {
  team_id: string;
  id: string;
  name: string;
  endpoint_url: string;
  is_active: number;
  /** JSON array of event names. */
  events: string;
  /** The signing secret, sealed by the vault. */
  secret_sealed: string;
  created_at: number;
  updated_at: number;
  /** The secret that becomes valid at `next_secret_at`, sealed; null when there is none. */
  next_secret_sealed: string | null;
  next_secret_at: number | null;
}

/** What waits for one receiver: of a webhook, its subscription's deliveries. Created with its first item. */
export interface OutboxQueueRow {
  team_id: string;
  queue_id: string;
  /** The kind of receiver (`outbox/receiver.ts`). */
  receiver: string;
  /** The process that sends at present, until `lease_until`; null when there is none. */
  owner_id: string | null;
  lease_until: number;
  /** When the search over all teams must find it; null when nothing waits (`outbox/outbox-store.ts` has the rule). */
  due_at: number | null;
  /** Since when the resource of the queue is gone: its items are deleted. */
  removed_at: number | null;
  /** Consecutive failed attempts, and since when and why. */
  failures: number;
  failing_since: number | null;
  last_error: string | null;
  last_delivered_at: number | null;
}

/** An event on its way to a receiver; `event_number` identifies it within the queue. */
export interface OutboxItemRow {
  team_id: string;
  queue_id: string;
  event_number: number;
  /** The kind of receiver, as the queue has it. */
  receiver: string;
  event_id: string;
  /** As the receiver sees it: of a test event, the event that it shows. */
  event_name: string;
  /** First attempts of the same key are sent one after the other: the conversation. */
  order_key: string | null;
  /** waiting, sending, delivered, failed, stopped or unknown (`outbox/outbox-item.ts` has the diagram). */
  state: string;
  /** The number of the next attempt, or of the one under way; of the last one when it has ended. */
  attempt: number;
  /** The number of the last attempt. */
  last_attempt: number;
  /** When it is due; 0 for a first attempt. */
  run_at: number;
  claim_id: string | null;
  created_at: number;
  ended_at: number | null;
  /** The message that it sends; null for events. */
  message_id: string | null;
}

/** One attempt to send an item. The request is made again from this row and the event (`webhooks/signed-request.ts`). */
export interface OutboxAttemptRow {
  team_id: string;
  queue_id: string;
  event_number: number;
  /** `del_…` */
  id: string;
  attempt: number;
  /** Its destination: of a webhook, the URL. */
  address: string;
  started_at: number;
  /** Null, like the following ones, while it is under way, and for ever when its process died. */
  duration_ms: number | null;
  /** delivered, failed, stopped or unknown */
  outcome: string | null;
  /** Why it failed, as one word. */
  error: string | null;
  status: number | null;
  /** JSON: pairs of names and values. */
  response_head: string | null;
  /** Its first KiBs. */
  response_body: string | null;
  /** JSON: what the receiver stores besides. */
  result: string | null;
}

export interface EventRow {
  team_id: string;
  /** 1, 2, 3 … without a gap within a team. */
  number: number;
  id: string;
  name: string;
  conversation_id: string | null;
  contact_id: string | null;
  /** JSON: who did it, as kind and id. */
  actor: string;
  /** JSON: the payload; for a public event exactly the documented `data`. */
  data: string;
  occurred_at: number;
  /** The version of the payload (decision 37). */
  version: string;
  /**
   * JSON: the ids of the automations that led to it, the first one first; null for actions of people and programs. Not in
   * payloads.
   */
  cause: string | null;
  /** JSON: what reports need of it and no payload contains (`conversations/episode-events.ts`); null when there is nothing. */
  internal: string | null;
}

export interface IdempotencyKeyRow {
  team_id: string;
  /** The API key, or the signed-in agent. */
  api_key_id: string;
  key: string;
  /** SHA-256 of method, path and body (`idempotency/fingerprint.ts`). */
  fingerprint: string;
  status: number;
  /** The first answer, sealed by the vault: it may contain a secret that is shown once. */
  body_sealed: string;
  created_at: number;
}

export interface JobRow {
  team_id: string;
  id: string;
  kind: string;
  /** JSON, sealed by the vault: it may contain a link with a token. */
  payload_sealed: string;
  /** waiting, running, done or failed. */
  state: string;
  attempts: number;
  /** When it is due; when it ended, once it is done or has failed. */
  run_at: number;
  lease_until: number | null;
  claim_id: string | null;
  last_error: string | null;
  created_at: number;
  /** Jobs of one key run in the order of their numbers; null: in no order. */
  queue_key: string | null;
  queue_number: number | null;
  /** JSON: its cause. */
  cause: string | null;
}

/** Something that waits for a time: one of a kind for each subject. */
export interface TimerRow {
  team_id: string;
  kind: string;
  subject_id: string;
  /** When it fires, or is tried again. */
  due_at: number;
  /** The time that it was set for, which a later attempt does not change. */
  armed_for: number;
  /** JSON, or null for kinds without data. */
  data: string | null;
  /** How many attempts have failed. */
  attempts: number;
  last_error: string | null;
  /** When its last attempt failed; null while it waits. */
  failed_at: number | null;
}

/** A connection of an assistant (decision 49). */
export interface AssistantRow {
  team_id: string;
  id: string;
  name: string;
  /** SHA-256 of the bearer token, hexadecimal; that of an app is of a token that was never given to anything. */
  token_hash: string;
  /** The last four characters, which identify a connection in a list; empty for that of an app. */
  token_ending: string;
  /** JSON array of permissions. */
  permissions: string;
  /** JSON: "all", or an array of widget ids. */
  widgets: string;
  /** JSON: "all", or an array of channels. */
  channels: string;
  /** The agent who is named as the writer of its replies; null: it cannot reply. */
  agent_id: string | null;
  /** The agent who made it, and in whose name it writes notes; null when that was the system of a team without an owner. */
  created_by: string | null;
  /** active, paused or revoked. */
  state: string;
  created_at: number;
  updated_at: number;
  last_used_at: number | null;
  /** JSON: `ConnectedApp`, for the connection of an app (docs/decisions/0068-authorization-server.md). */
  app: string | null;
  /** By it the same app of the same person is found again. */
  app_key: string | null;
}

/** What a person has allowed an app: a code at first, then its tokens. Deleted when it ends. */
export interface AppGrantRow {
  team_id: string;
  id: string;
  assistant_id: string;
  /** As the app has sent it. */
  client_id: string;
  redirect_uri: string;
  /** mcp or readonly. */
  resource: string;
  /** PKCE: base64url of the SHA-256 of what the app shows later. */
  challenge: string;
  /** SHA-256 of the code, hexadecimal. */
  code_hash: string;
  code_ends_at: number;
  code_used_at: number | null;
  created_at: number;
  /** No token is issued after it. */
  ends_at: number;
}

/** An access token and a refresh token that were issued together. */
export interface AppTokensRow {
  team_id: string;
  id: string;
  grant_id: string;
  /** The row whose refresh token they were issued for; null for those of the code. */
  parent_id: string | null;
  /** SHA-256, hexadecimal. */
  access_hash: string;
  access_ends_at: number;
  /** SHA-256, hexadecimal. */
  refresh_hash: string;
  refresh_ends_at: number;
  issued_at: number;
  /** When one of the two was used first. */
  used_at: number | null;
  /** When others were issued for the refresh token first. */
  replaced_at: number | null;
}

/** A confirmation that was requested and not used yet (decision 52). */
export interface ConfirmationRow {
  team_id: string;
  token_hash: string;
  assistant_id: string;
  tool: string;
  /** SHA-256 of the canonical arguments, with the agent that was found for them. */
  arguments_hash: string;
  expires_at: number;
}

/** A line of the call log: what an assistant did. */
/** A browser whose visitor has written, or was vouched for. */
export interface VisitorSessionRow {
  team_id: string;
  /** SHA-256 of the token that the browser made, hexadecimal. */
  token_hash: string;
  contact_id: string;
  created_at: number;
  /** Until when it may see a verified contact; null for an unverified session. */
  verified_until: number | null;
  /** The widget whose identity secret verified it; null for an unverified session. */
  vouched_by: string | null;
}

export interface ToolCallRow {
  team_id: string;
  assistant_id: string;
  id: string;
  tool: string;
  /** JSON, unchanged. */
  arguments: string;
  /** done, confirmation, refused or failed */
  outcome: string;
  /** Why it was refused. */
  message: string | null;
  duration_ms: number;
  called_at: number;
}

/** A change that an assistant has queued for one of several conversations, and how it ended (decision 60). */
export interface QueuedChangeRow {
  team_id: string;
  id: string;
  assistant_id: string;
  conversation_id: string;
  /** The name of the operation. */
  operation: string;
  /** JSON: its input besides the conversation. */
  input: string;
  /** waiting, done or refused */
  state: string;
  /** Why it was refused. */
  message: string | null;
  queued_at: number;
  ended_at: number | null;
}

/**
 * A contact, a conversation, or what belongs to a removed widget, that is being erased or was; a message that was redacted, or an
 * agent who was removed.
 */
export interface ErasureRow {
  team_id: string;
  id: string;
  what: "contact" | "conversation" | "message" | "widget" | "agent" | "retention";
  /** The erased contact; null when only a conversation was, and 30 days later. */
  contact_id: string | null;
  conversation_id: string | null;
  /** The redacted message. */
  message_id: string | null;
  /** The removed widget. */
  widget_id: string | null;
  /** The removed agent. */
  agent_id: string | null;
  /** The text of the message, or the email address of the agent, sealed, until it is erased where others repeat it; null afterwards. */
  text_sealed: string | null;
  /**
   * ```
   * running --> rows-erased --> done    nothing is left, on the disk and in the file storage either
   * ```
   * Outside, `rows-erased` is running too.
   */
  state: "running" | "rows-erased" | "done";
  reason: string | null;
  /** JSON, as `ConversationRow.resolved_by`. */
  requested_by: string;
  requested_at: number;
  finished_at: number | null;
  /** JSON: how many of each kind were erased (`privacy/erased-counts.ts`). */
  erased: string;
}

/** A conversation that is being erased: its row is gone, and its messages are not yet. Or only its texts are. */
export interface ErasedConversationRow {
  team_id: string;
  erasure_id: string;
  conversation_id: string;
  contact_id: string;
  /** Its events of this number and later are erased; 0: all are, or its contact's are. */
  events_before: number;
  /** Only the texts and files of its messages, up to this sort number; null: everything. */
  texts_up_to: number | null;
}

/** A contact whose row is gone, and whose events are not yet. */
export interface ErasedContactRow {
  team_id: string;
  erasure_id: string;
  contact_id: string;
  /** What to look for in rows about others (`privacy/naming.ts`). */
  naming_sealed: string;
}

/** How long a team keeps what it has stored (`privacy/retention.ts`); no row: for ever. */
export interface RetentionRow {
  team_id: string;
  /** JSON (`core/domain/retention.ts`). */
  settings: string;
  /** JSON: the rules that also hold until `starts_at`, since the settings erase more than they did. */
  settings_before: string | null;
  starts_at: number | null;
  changed_at: number;
  /** Of the run that is under way. */
  erasure_id: string | null;
}

/** A contact who must not be erased for the time being. */
export interface HoldRow {
  team_id: string;
  contact_id: string;
  reason: string;
  /** JSON, as `ConversationRow.resolved_by`. */
  held_by: string;
  held_at: number;
  /** Null: until it is released. */
  until: number | null;
}

/** An export of a contact. Its zip file is the file of the same id; both are deleted after 7 days. */
export interface ExportRow {
  team_id: string;
  id: string;
  contact_id: string;
  /** requested, running, done or failed */
  state: string;
  include_notes: number;
  /** In the address of its file, which opens nothing without signing in or a key. */
  token: string;
  /** Of the token in the link by which a visitor asked for it; several contacts with one address share a link. */
  link_hash: string | null;
  /** JSON, as `ConversationRow.resolved_by`. */
  requested_by: string;
  requested_at: number;
  finished_at: number | null;
  /** Of the zip file, in bytes. */
  size: number | null;
}

/** A mail that came in. The row is kept for good: the same mail is never imported again, also after it was deleted. */
export interface MailImportRow {
  team_id: string;
  account_id: string;
  /** SHA-256 of what makes a mail the same one (`email/in/mail-key.ts`), hexadecimal. */
  key: string;
  /** stored, sent, imported, held, spam, failed, ignored or erased (`email/in/mail-import.ts`) */
  state: string;
  /** The file with the mail as it came; null when nothing of it is kept. */
  raw_file: string | null;
  /** The message that it became. */
  message_id: string | null;
  /**
   * The folded address of who wrote it, at first as its headers say; null without one, and when the message is erased. Of a sent mail
   * that waits or has failed, of the contact whom it answers.
   */
  sender: string | null;
  taken_at: number;
  /** Not imported before. */
  run_at: number;
  /** How many attempts have failed. */
  attempts: number;
  error: string | null;
  /** 1: an agent has said that it is no spam, whatever its mailbox says. */
  not_spam: number;
  /** Of spam, as JSON: the name of its sender, its subject and its first words (`email/spam/spam-preview.ts`). Null in other states. */
  preview: string | null;
}

/** What a message of a mail conversation has as a mail. */
export interface MailRow {
  team_id: string;
  message_id: string;
  conversation_id: string;
  account_id: string;
  direction: "in" | "out";
  /** Its Message-ID, in angle brackets; null without one. */
  header_id: string | null;
  /** Decoded, as it was written. */
  subject: string;
  /** JSON: `{name, address}`; null when it names no sender. */
  sender: string | null;
  /** JSON: `{to, cc, reply_to}`, each an array of `{name, address}`. */
  recipients: string;
  /** JSON: the Message-IDs in its References. */
  reference_ids: string;
  /** The file with the whole mail. */
  raw_file: string | null;
  /** What was cut from the text of the message, usually a quote. Of a forward, what it passes on, below the agent's own text. */
  folded_text: string | null;
  sent_at: number;
  /** 1: it came with HTML, which can be shown from the original. */
  has_html: number;
  /** The message that it forwards to an outside address; null for any other mail, and once that one's text is erased. */
  forward_of: string | null;
  /** JSON: the positions of the attachments of `forward_of` that go along. */
  forward_files: string | null;
}

/** A recipient of a mail that we send, in To or Cc. */
export interface MailRecipientRow {
  team_id: string;
  message_id: string;
  /** As it was written, with the domain in lower case. */
  address: string;
  /** A `RecipientState`: `waiting`, `sent`, `failed` or `unknown`. */
  state: string;
  /** A sentence: the words of the mail server, or of the report that came back, or ours. */
  reason: string | null;
  /** The same by name (`channels/stored-reason.ts`); null for one of before, and where there is none. */
  reason_named: string | null;
  changed_at: number;
}

/** An address that nothing is sent to from an account any more: it has bounced for good, or complained. */
export interface MailSuppressionRow {
  team_id: string;
  account_id: string;
  /** Folded. */
  address: string;
  reason: string;
  /** As in `MailRecipientRow`. */
  reason_named: string | null;
  created_at: number;
}

/** A token in the Reply-To of our mails: which conversation an answer belongs to, and who it was sent to. */
export interface MailTokenRow {
  team_id: string;
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  conversation_id: string;
  /** The folded address. */
  address: string;
}

/** An OpenID Connect provider of a team (docs/decisions/0070-single-sign-on.md). */
export interface SsoProviderRow {
  team_id: string;
  id: string;
  /** `SsoPreset` */
  preset: string;
  name: string;
  issuer: string;
  client_id: string;
  secret_sealed: string;
  /** 0 or 1, as the two below. */
  is_on: number;
  /** The owner vouches for the e-mails of the provider. */
  trusts_email: number;
  /** 1: the owner vouches that everyone has to show a second factor there. */
  trusts_factors: number;
  creates_agents: number;
  /** The group whose people become admins when they are created; null for none. */
  admin_group: string | null;
  session_hours: number;
  created_at: number;
}

/** Whose account at a provider it is. */
export interface SsoIdentityRow {
  team_id: string;
  provider_id: string;
  /** `sub` of the provider; never an e-mail. */
  subject: string;
  agent_id: string;
  /** What the provider said when it was linked; only shown. */
  email: string | null;
  created_at: number;
}

export interface SsoDomainRow {
  team_id: string;
  /** `readDomain` */
  domain: string;
  /** What its TXT record has to say. */
  token: string;
  proven_at: number | null;
  /** Since when its people sign in by SSO alone; null: they may otherwise, too. */
  required_at: number | null;
  created_at: number;
}

/** What a provider has granted for a mailbox. */
export interface MailGrantRow {
  team_id: string;
  /** The account. */
  id: string;
  /** JSON, sealed: `MailTokens`; null until the first sign-in ends. */
  tokens_sealed: string | null;
  /** JSON, sealed: `AskedGrant`, while a sign-in is under way or was left. */
  asked_sealed: string | null;
  /** A process renews the token until then, ms since 1970; 0: none does. */
  renewing_until: number;
}

/** A mailbox that is read by IMAP; created with its account, of any way in. */
export interface MailFolderRow {
  team_id: string;
  account_id: string;
  /** 1: its account has changed, and a process has to look at it. */
  is_due: number;
  /** The process that reads it (`mail_readers`); null when none does. */
  owner_id: string | null;
  /** The folder that the position is of; null until the first connection, as are the next and `connected_at`. */
  folder: string | null;
  uid_validity: number | null;
  last_uid: number;
  /** Mails of before are never imported. */
  connected_at: number | null;
  /** Up to this UID the folder was numbered anew. */
  renumbered_to: number;
  /** Up to this UID mails were flagged or archived. */
  filed_uid: number;
  /** JSON: ranges of UIDs that did not exist when the position passed them, for 2 days. */
  gaps: string;
  /** JSON: the folder of sent mails and the position in it; null while it is not followed. */
  sent_position: string | null;
}
