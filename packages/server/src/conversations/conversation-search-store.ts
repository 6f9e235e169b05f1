import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { isVisibleConversation, type Visibility } from "../access/visibility-store.ts";
import type { Dialect } from "../storage/dialect.ts";
import { type Param, statement } from "../storage/statement.ts";
import type { Tables } from "../storage/tables.ts";
import { type Piece, pieceOfAll } from "./conversation-browse-store.ts";
import { type WholeMessageRow, wholeColumns } from "./message-store.ts";

/** A word of a search, folded, as a row of `searched_words`. `word-forms.ts` makes the forms. */
export interface SearchedWord {
  /** Contacts contain it as it was typed. */
  word: string;
  /** Subjects and messages contain it without its ending. */
  stem: string;
}

/** The same, when a typo is forgiven: one of the pieces is contained, and one of the patterns, a list made by `listParam`. */
export interface ForgivenWord {
  piece: string;
  other_piece: string;
  third_piece: string;
  patterns: string;
}

/** Which conversations are searched, besides by words: everything that is no filter lets all of them pass. */
export interface SearchFilter {
  /** The ids of tags, made by `rowsParam`: a conversation has each of them. */
  tag_ids: string;
  /** Empty for any. */
  status: "" | "open" | "snoozed" | "resolved";
  /** Words that the contact's name or e-mail contains, made by `listParam`. */
  from_words: string;
  /** The conversation was active, and the message is from, `since` (inclusive) to `until` (exclusive). */
  since: number;
  until: number;
}

export interface ConversationSearch {
  /** The first word, empty for none: compared first, for most searches have one. */
  contact_needle: string;
  message_needle: string;
  /** The others, made by `rowsParam`. */
  searched_words: string;
}

/** A conversation that was searched. */
export interface SearchedRow {
  id: string;
  last_message_at: number;
  /** How many messages it has, system lines included; 0 when a filter has left it out, and none was read. */
  searched_messages: number;
  /** 1: each word is contained in the contact's name or e-mail, in the subject, or in a message that is no system line. */
  is_found: number;
}

/** Searches a piece of the visible conversations, one after another; returns all of them, in order. */
export const searchedPiece = statement<Piece & ConversationSearch, SearchedRow>((db, param, dialect) =>
  inPiece(db, param, dialect, allPass, (row) => holdsWords(row, param, dialect, anyTime)),
);

/** The same of the conversations that pass a filter. */
export const filteredPiece = statement<Piece & ConversationSearch & SearchFilter, SearchedRow>((db, param, dialect) =>
  inPiece(
    db,
    param,
    dialect,
    (row) => passes(row, param, dialect),
    (row) => holdsWords(row, param, dialect, within(param)),
  ),
);

/** As `searchedPiece`, forgiving a typo in each of `forgiven_words`, rows made by `rowsParam`. */
export const forgivingPiece = statement<Piece & { forgiven_words: string }, SearchedRow>((db, param, dialect) =>
  inPiece(db, param, dialect, allPass, (row) => resemblesWords(row, param, dialect, anyTime)),
);

/** The same of the conversations that pass a filter. */
export const filteredForgivingPiece = statement<Piece & SearchFilter & { forgiven_words: string }, SearchedRow>(
  (db, param, dialect) =>
    inPiece(
      db,
      param,
      dialect,
      (row) => passes(row, param, dialect),
      (row) => resemblesWords(row, param, dialect, within(param)),
    ),
);

/** The newest message of a conversation that contains all `words` (folded, made by `listParam`), system lines left out. */
export const newestHolding = statement<
  Pick<SearchFilter, "since" | "until"> & { team_id: string; conversation_id: string; words: string },
  WholeMessageRow
>((db, param, dialect) => newest(db, param, (row) => dialect.holdsAll(row.ref("content_folded"), param("words"))));

/** The same of `forgivingPiece`. */
export const newestResembling = statement<
  Pick<SearchFilter, "since" | "until"> & { team_id: string; conversation_id: string; forgiven_words: string },
  WholeMessageRow
>((db, param, dialect) =>
  newest(db, param, (row) =>
    eachOf(forgivenWords(param("forgiven_words"), dialect), (word) =>
      resembles(row.ref("content_folded"), word, dialect),
    ),
  ),
);

/** A search for contacts by their index; `others` are the words besides `needle`, made by `listParam`. */
interface ContactsHolding extends Visibility {
  team_id: string;
  needle: string;
  others: string;
  needle_terms: string;
  match: string;
  most: number;
  limit: number;
}

/**
 * By the contacts' index: the visible conversations of contacts whose name and e-mail contain all words, in order. On SQLite
 * those of `most` contacts at most.
 */
export const conversationsOfContactsHolding = statement<ContactsHolding, { id: string }>((db, param, dialect) =>
  ofContactsHolding(db, param, dialect, allPass),
);

/** The same of the conversations that pass a filter. */
export const filteredOfContactsHolding = statement<ContactsHolding & SearchFilter, { id: string }>(
  (db, param, dialect) => ofContactsHolding(db, param, dialect, (row) => passes(row, param, dialect)),
);

type Row = ExpressionBuilder<Tables, "conversations" | "contacts">;
type MessageRow = ExpressionBuilder<Tables, "messages">;
type Condition<R> = (row: R) => Expression<SqlBool>;

const allPass = (): Expression<SqlBool> => sql<SqlBool>`1 = 1`;
const anyTime = (): Expression<SqlBool> => sql<SqlBool>`1 = 1`;
const within =
  (param: Param<Pick<SearchFilter, "since" | "until">>): Condition<MessageRow> =>
  (message) =>
    message.and([
      message("messages.created_at", ">=", param("since")),
      message("messages.created_at", "<", param("until")),
    ]);

function inPiece<P extends Piece>(
  db: Dialect["builder"],
  param: Param<P>,
  dialect: Dialect,
  isSearched: Condition<Row>,
  isFound: Condition<Row>,
) {
  return db
    .selectFrom("conversations")
    .innerJoin("contacts", (join) =>
      join
        .onRef("contacts.team_id", "=", "conversations.team_id")
        .onRef("contacts.id", "=", "conversations.contact_id"),
    )
    .select(["conversations.id", "conversations.last_message_at"])
    .select((row) => [
      sql<number>`case when ${isSearched(row)} then ${row.ref("conversations.last_sort_number")} else 0 end`.as(
        "searched_messages",
      ),
      sql<number>`case when not (${isSearched(row)}) then 0 when ${isFound(row)} then 1 else 0 end`.as("is_found"),
    ])
    .where("conversations.team_id", "=", param("team_id"))
    .where("conversations.id", "in", (row) =>
      row.selectFrom(pieceOfAll(db, param, dialect).as("piece")).select("piece.id"),
    )
    .orderBy("conversations.last_message_at", "desc")
    .orderBy("conversations.id", "desc");
}

function holdsWords(
  row: Row,
  param: Param<ConversationSearch>,
  dialect: Dialect,
  isInTime: Condition<MessageRow>,
): Expression<SqlBool> {
  const holdsWord = (word: Expression<string>, stem: Expression<string>) =>
    row.or([
      dialect.holds(row.ref("contacts.search_text"), word),
      dialect.holds(row.ref("conversations.email_subject_folded"), stem),
      inSomeMessage(row, isInTime, (content) => dialect.holds(content, stem)),
    ]);
  const others = dialect.listedRows<SearchedWord>(param("searched_words"), { word: "text", stem: "text" });
  return row.and([
    holdsWord(param("contact_needle"), param("message_needle")),
    eachOf(others, (other) => holdsWord(other("word"), other("stem"))),
  ]);
}

function resemblesWords(
  row: Row,
  param: Param<{ forgiven_words: string }>,
  dialect: Dialect,
  isInTime: Condition<MessageRow>,
): Expression<SqlBool> {
  return eachOf(forgivenWords(param("forgiven_words"), dialect), (word) =>
    row.or([
      resembles(row.ref("contacts.search_text"), word, dialect),
      resembles(row.ref("conversations.email_subject_folded"), word, dialect),
      inSomeMessage(row, isInTime, (content) => resembles(content, word, dialect)),
    ]),
  );
}

/** Whether a condition holds for each of some listed rows. */
function eachOf<Word>(
  words: RawBuilder<Word>,
  condition: (member: (name: keyof Word & string) => Expression<string>) => Expression<SqlBool>,
): Expression<SqlBool> {
  const member = (name: string) => sql.ref<string>(`word.${name}`);
  return sql`not exists (select 1 from ${words} as word where not (${condition(member)}))`;
}

const forgivenWords = (words: RawBuilder<string>, dialect: Dialect) =>
  dialect.listedRows<ForgivenWord>(words, {
    piece: "text",
    other_piece: "text",
    third_piece: "text",
    patterns: "text",
  });

/** The pieces are looked for first: most texts contain none of them. */
function resembles(
  column: Expression<unknown>,
  word: (name: keyof ForgivenWord) => Expression<string>,
  dialect: Dialect,
): Expression<SqlBool> {
  const pieces = (["piece", "other_piece", "third_piece"] as const).map((name) => dialect.holds(column, word(name)));
  return sql`((${sql.join(pieces, sql` or `)}) and ${dialect.isLikeOne(column, word("patterns"))})`;
}

function inSomeMessage(
  row: Row,
  isInTime: Condition<MessageRow>,
  condition: (content: Expression<unknown>) => Expression<SqlBool>,
): Expression<SqlBool> {
  return row.exists(
    row
      .selectFrom("messages")
      .select("messages.sort_number")
      .whereRef("messages.team_id", "=", "conversations.team_id")
      .whereRef("messages.conversation_id", "=", "conversations.id")
      .where("messages.type", "<>", "system")
      .where((message) => isInTime(message as unknown as MessageRow))
      .where((message) => condition(message.ref("messages.content_folded"))),
  );
}

function passes(row: Row, param: Param<SearchFilter>, dialect: Dialect): Expression<SqlBool> {
  const status = param("status");
  const isSnoozed = sql<SqlBool>`(conversations.snoozed_until is not null or conversations.snoozed_until_reply = 1)`;
  const tags = dialect.listedRows<{ tag_id: string }>(param("tag_ids"), { tag_id: "id" });
  return row.and([
    row("conversations.last_message_at", ">=", param("since")),
    row("conversations.created_at", "<", param("until")),
    sql<SqlBool>`(${status} = ''
      or (${status} = 'resolved' and conversations.is_resolved = 1)
      or (${status} = 'snoozed' and ${isSnoozed})
      or (${status} = 'open' and conversations.is_resolved = 0 and not ${isSnoozed}))`,
    eachOf(tags, (tag) =>
      row.exists(
        row
          .selectFrom("conversation_tags")
          .select("conversation_tags.tag_id")
          .whereRef("conversation_tags.team_id", "=", "conversations.team_id")
          .whereRef("conversation_tags.conversation_id", "=", "conversations.id")
          .where("conversation_tags.tag_id", "=", tag("tag_id")),
      ),
    ),
    dialect.holdsAll(row.ref("contacts.search_text"), param("from_words")),
  ]);
}

/** One search a conversation, from its end: a condition on every message instead would read a thread of 5,000 messages. */
function newest<P extends Pick<SearchFilter, "since" | "until"> & { team_id: string; conversation_id: string }>(
  db: Dialect["builder"],
  param: Param<P>,
  condition: Condition<MessageRow>,
) {
  return db
    .selectFrom("messages")
    .select(wholeColumns)
    .where("team_id", "=", param("team_id"))
    .where("conversation_id", "=", param("conversation_id"))
    .where("type", "<>", sql.lit("system"))
    .where(within(param))
    .where(condition)
    .orderBy("sort_number", "desc")
    .limit(1);
}

function ofContactsHolding<P extends ContactsHolding>(
  db: Dialect["builder"],
  param: Param<P>,
  dialect: Dialect,
  condition: Condition<Row>,
) {
  return db
    .selectFrom("conversations")
    .innerJoin("contacts", (join) =>
      join
        .onRef("contacts.team_id", "=", "conversations.team_id")
        .onRef("contacts.id", "=", "conversations.contact_id"),
    )
    .select("conversations.id")
    .where("conversations.team_id", "=", param("team_id"))
    .where("conversations.contact_id", "in", (row) =>
      row
        .selectFrom("contacts")
        .select("contacts.id")
        .where("contacts.team_id", "=", param("team_id"))
        .where(
          (): Expression<SqlBool> =>
            dialect.contactMatches({
              teamId: param("team_id"),
              id: sql<null>`null`,
              needle: param("needle"),
              digits: sql<null>`null`,
              needleTerms: param("needle_terms"),
              digitsTerms: sql<null>`null`,
              match: param("match"),
              most: param("most"),
            }),
        ),
    )
    .where((row) => dialect.holdsAll(row.ref("contacts.search_text"), param("others")))
    .where(condition)
    .where((row) =>
      isVisibleConversation(
        { channel: row.ref("conversations.channel"), widgetId: row.ref("conversations.widget_id") },
        param,
        dialect,
      ),
    )
    .orderBy("conversations.last_message_at", "desc")
    .orderBy("conversations.id", "desc")
    .limit(param("limit"));
}
