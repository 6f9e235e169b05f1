import { WIDGET_CHANNEL } from "@frontdesk/core/domain/channel";
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from "kysely";
import { isVisibleContact, type Visibility } from "../access/visibility-store.ts";
import { columnNames } from "../storage/columns.ts";
import type { Dialect } from "../storage/dialect.ts";
import { every, type Param, statement, wholeRow } from "../storage/statement.ts";
import type { ContactRow, PageVisitRow, Tables } from "../storage/tables.ts";

interface OfTeam {
  team_id: string;
}
interface ById extends OfTeam {
  id: string;
}
interface Page extends OfTeam {
  limit: number;
  offset: number;
}

/** A contact as it is listed: with the name of its widget. */
export type ListedContactRow = ContactRow & { widget_name: string | null };

const columns = columnNames("contacts");

export const insertContact = statement<ContactRow>((db, param) =>
  db.insertInto("contacts").values(wholeRow(param, "contacts")),
);

export const contactById = statement<ById, ContactRow>((db, param) =>
  db.selectFrom("contacts").select(columns).where("team_id", "=", param("team_id")).where("id", "=", param("id")),
);

/** The contact that has this id in the owner's own system, from a signed identity; only visitors of websites have one. */
export const contactByVerifiedId = statement<OfTeam & { verified_id: string }, ContactRow>((db, param) =>
  db
    .selectFrom("contacts")
    .select(columns)
    .where("team_id", "=", param("team_id"))
    .where("verified_id", "=", param("verified_id"))
    .where("channel", "=", sql.lit(WIDGET_CHANNEL)),
);

export const listedContactById = statement<ById, ListedContactRow>((db, param) =>
  db
    .selectFrom("contacts")
    .select(columns)
    .select(widgetName)
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** The contact with this e-mail who came by a channel, on the widget, and was active last (decision 66). */
export const mostRecentContactByEmail = statement<
  { team_id: string; widget_id: string; channel: string; email_folded: string },
  ContactRow
>((db, param) =>
  db
    .selectFrom("contacts")
    .select(columns)
    .where("team_id", "=", param("team_id"))
    .where("widget_id", "=", param("widget_id"))
    .where("email_folded", "=", param("email_folded"))
    .where("channel", "=", param("channel"))
    .orderBy("last_active_at", "desc")
    .orderBy("id", "desc")
    .limit(1),
);

/** The other contacts with this e-mail on the widget, by whatever channel they came; who was active last first. */
export const otherContactsByEmail = statement<
  ById & { widget_id: string; email_folded: string; limit: number },
  { id: string }
>((db, param) =>
  db
    .selectFrom("contacts")
    .select("id")
    .where("team_id", "=", param("team_id"))
    .where("widget_id", "=", param("widget_id"))
    .where("email_folded", "=", param("email_folded"))
    .where("id", "<>", param("id"))
    .orderBy("last_active_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit")),
);

const changeableColumns = [
  "name",
  "email",
  "email_folded",
  "phone",
  "phone_digits",
  "search_text",
  "is_name_updated",
  "verified_id",
  "verified_email",
  "email_source",
  "phone_source",
] as const satisfies (keyof ContactRow)[];

export const updateContactRow = statement<ById & Pick<ContactRow, (typeof changeableColumns)[number]>>((db, param) =>
  db
    .updateTable("contacts")
    .set(every(param, changeableColumns))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

const deviceColumns = ["browser_type", "operating_system", "timezone"] as const satisfies (keyof ContactRow)[];

/** What the contact's browser says of itself. */
export type ContactDevice = Pick<ContactRow, (typeof deviceColumns)[number]>;

export const updateContactDevice = statement<ById & ContactDevice>((db, param) =>
  db
    .updateTable("contacts")
    .set(every(param, deviceColumns))
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const markContactActive = statement<ById & { last_active_at: number }>((db, param) =>
  db
    .updateTable("contacts")
    .set({ last_active_at: param("last_active_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const markContactPresent = statement<ById & Pick<ContactRow, "online_status" | "last_active_at">>((db, param) =>
  db
    .updateTable("contacts")
    .set({ online_status: param("online_status"), last_active_at: param("last_active_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

export const setContactBlocked = statement<ById & Pick<ContactRow, "blocked_at">>((db, param) =>
  db
    .updateTable("contacts")
    .set({ blocked_at: param("blocked_at") })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Several contacts by their ids. */
export const contactsByIds = statement<OfTeam & { contact_ids: string }, ContactRow>((db, param, dialect) =>
  db
    .selectFrom("contacts")
    .select(columns)
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("id"), param("contact_ids"))),
);

/** Contacts who are online and were last seen before `before`: nothing has ended their presence. */
export const contactsLeftOnline = statement<
  OfTeam & { before: number; limit: number },
  Pick<ContactRow, "id" | "last_active_at">
>((db, param) =>
  db
    .selectFrom("contacts")
    .select(["id", "last_active_at"])
    .where("team_id", "=", param("team_id"))
    .where("online_status", "=", sql.lit("online"))
    .where("last_active_at", "<", param("before"))
    .limit(param("limit")),
);

export const teamsWithContactsLeftOnline = statement<{ before: number }, { team_id: string }>((db, param) =>
  db
    .selectFrom("contacts")
    .select("team_id")
    .distinct()
    .where("online_status", "=", sql.lit("online"))
    .where("last_active_at", "<", param("before")),
);

/** The contacts that were active before `before`, last activity first, then the newest (decision 26). */
export const contactPage = statement<Page & { before: number }, ListedContactRow>((db, param) =>
  listed(db, param, (row) => row("last_active_at", "<", param("before"))),
);

/** What a search compares with (decision 1), and among which contacts; `contact-search.ts` makes it. */
export interface ContactSearch extends Visibility {
  /** The longest word of the search. */
  needle: string;
  /** The other words, made by `listParam`. */
  others: string;
  /** The digits of the search, when it may be a phone number. */
  digits: string | null;
  /** The search as an id, when it is one. */
  id: string | null;
  /** For the indexes: terms, and the FTS5 query. */
  needle_terms: string;
  digits_terms: string | null;
  match: string;
}

/** A search by the index, which needs a word of three characters; `most` bounds how many matches are read. */
export type IndexedSearch = ContactSearch & { most: number };

export const indexedSearchPage = statement<Page & IndexedSearch, ListedContactRow>((db, param, dialect) =>
  listed(db, param, (row) =>
    row.and([indexed(param, dialect), matches(row, param, dialect), visible(row, param, dialect)]),
  ),
);
export const indexedSearchTotal = statement<OfTeam & IndexedSearch, { total: number }>((db, param, dialect) =>
  counted(db, param, (row) =>
    row.and([indexed(param, dialect), matches(row, param, dialect), visible(row, param, dialect)]),
  ),
);

/** How many contacts the index finds, including hidden ones, counted up to about `most`. */
export const indexedMatches = statement<OfTeam & IndexedSearch, { total: number }>((db, param, dialect) =>
  db
    .selectFrom(
      db
        .selectFrom("contacts")
        .select("id")
        .where("team_id", "=", param("team_id"))
        .where(() => indexed(param, dialect))
        .limit(param("most"))
        .as("matching"),
    )
    .select((row) => row.fn.countAll<number>().as("total")),
);

/** A piece of the contacts in their order, from `before`, exclusive, to `until`, inclusive. */
export interface ContactPiece extends OfTeam {
  before: number;
  before_id: string;
  until: number;
  until_id: string;
}

/** The contact `reach` rows after the one at `before`. */
export const contactBehind = statement<
  Omit<ContactPiece, "until" | "until_id"> & { reach: number },
  Pick<ContactRow, "id" | "last_active_at">
>((db, param) =>
  db
    .selectFrom("contacts")
    .select(["id", "last_active_at"])
    .where("team_id", "=", param("team_id"))
    .where(isBehind(param))
    .orderBy("last_active_at", "desc")
    .orderBy("id", "desc")
    .limit(sql.lit(1))
    .offset(param("reach")),
);

/** Compares each contact of a piece. */
export const scannedSearchPage = statement<Page & ContactPiece & ContactSearch, ListedContactRow>(
  (db, param, dialect) => listed(db, param, (row) => inPiece(row, param, dialect)),
);
export const scannedSearchTotal = statement<ContactPiece & ContactSearch, { total: number }>((db, param, dialect) =>
  counted(db, param, (row) => inPiece(row, param, dialect)),
);

/** After `change` conversations of a contact were added or, below 0, erased. */
export const countConversations = statement<OfTeam & { id: string; change: number }>((db, param) =>
  db
    .updateTable("contacts")
    .set({ conversation_count: sql`conversation_count + ${param("change")}` })
    .where("team_id", "=", param("team_id"))
    .where("id", "=", param("id")),
);

/** Of a contact who is there. */
export const insertPageVisit = statement<Omit<PageVisitRow, "widget_id">>((db, param) =>
  db
    .insertInto("page_visits")
    .columns(["team_id", "contact_id", "id", "page", "visited_at", "widget_id"])
    .expression((query) =>
      query
        .selectFrom("contacts")
        .select([
          "contacts.team_id",
          "contacts.id",
          param("id").as("visit"),
          param("page").as("page"),
          param("visited_at").as("visited_at"),
          "contacts.widget_id",
        ])
        .where("contacts.team_id", "=", param("team_id"))
        .where("contacts.id", "=", param("contact_id")),
    ),
);

export const deletePageVisit = statement<OfTeam & { contact_id: string; id: string }>((db, param) =>
  db
    .deleteFrom("page_visits")
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .where("id", "=", param("id")),
);

/** The page visits of several contacts, oldest first. */
export const pageVisitsOfContacts = statement<OfTeam & { contact_ids: string }, PageVisitRow>((db, param, dialect) =>
  db
    .selectFrom("page_visits")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("contact_id"), param("contact_ids")))
    .orderBy("contact_id")
    .orderBy("id"),
);

/** The first page of a contact. */
export const firstPageVisit = statement<OfTeam & { contact_id: string }, { page: string }>((db, param) =>
  db
    .selectFrom("page_visits")
    .select("page")
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .orderBy("id")
    .limit(1),
);

/** The last page of a contact. */
export const latestPageVisit = statement<OfTeam & { contact_id: string }, { page: string }>((db, param) =>
  db
    .selectFrom("page_visits")
    .select("page")
    .where("team_id", "=", param("team_id"))
    .where("contact_id", "=", param("contact_id"))
    .orderBy("id", "desc")
    .limit(1),
);

type Row = ExpressionBuilder<Tables, "contacts">;
type Condition = (row: Row) => Expression<SqlBool>;

function listed<P extends Page>(db: Dialect["builder"], param: Param<P>, condition: Condition) {
  return db
    .selectFrom("contacts")
    .select(columns)
    .select(widgetName)
    .where("team_id", "=", param("team_id"))
    .where(condition)
    .orderBy("last_active_at", "desc")
    .orderBy("id", "desc")
    .limit(param("limit"))
    .offset(param("offset"));
}

function counted<P extends OfTeam>(db: Dialect["builder"], param: Param<P>, condition: Condition) {
  return db
    .selectFrom("contacts")
    .select((row) => row.fn.countAll<number>().as("total"))
    .where("team_id", "=", param("team_id"))
    .where(condition);
}

function indexed(param: Param<OfTeam & IndexedSearch>, dialect: Dialect) {
  return dialect.contactMatches({
    teamId: param("team_id"),
    id: param("id"),
    needle: param("needle"),
    digits: param("digits"),
    needleTerms: param("needle_terms"),
    digitsTerms: param("digits_terms"),
    match: param("match"),
    most: param("most"),
  });
}

function inPiece(row: Row, param: Param<ContactPiece & ContactSearch>, dialect: Dialect) {
  const reachesTo = sql<SqlBool>`(last_active_at, id) >= (${param("until")}, ${param("until_id")})`;
  return row.and([isBehind(param)(), reachesTo, matches(row, param, dialect), visible(row, param, dialect)]);
}

const isBehind = (param: Param<Pick<ContactPiece, "before" | "before_id">>) => () =>
  sql<SqlBool>`(last_active_at, id) < (${param("before")}, ${param("before_id")})`;

/** Compares a contact with all of the search. */
function matches(row: Row, param: Param<ContactSearch>, dialect: Dialect) {
  return row.or([
    row.and([
      dialect.holds(row.ref("search_text"), param("needle")),
      dialect.holdsAll(row.ref("search_text"), param("others")),
    ]),
    dialect.holds(row.ref("phone_digits"), param("digits")),
    row("id", "=", param("id")),
  ]);
}

function visible(row: Row, param: Param<OfTeam & ContactSearch>, dialect: Dialect) {
  return isVisibleContact(row, param, dialect);
}

function widgetName(row: Row) {
  return row
    .selectFrom("widgets")
    .select("widgets.name")
    .whereRef("widgets.team_id", "=", "contacts.team_id")
    .whereRef("widgets.id", "=", "contacts.widget_id")
    .as("widget_name");
}
