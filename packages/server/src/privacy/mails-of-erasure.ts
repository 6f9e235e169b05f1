import type { Storage } from "../storage/database.ts";
import { listParam } from "../storage/dialect.ts";
import { statement } from "../storage/statement.ts";
import type {
  ErasedContactRow,
  ErasedConversationRow,
  ErasureRow,
  MailImportRow,
  MessageRow,
} from "../storage/tables.ts";
import type { ErasedMail } from "./erasure-log.ts";

/** Contacts or conversations of one read. */
const AT_ONCE = 100;

interface Hidden {
  contacts: readonly Pick<ErasedContactRow, "contact_id">[];
  conversations: readonly Pick<ErasedConversationRow, "conversation_id" | "texts_up_to">[];
}

/**
 * The mails that go with what an erasure has hidden: those of its conversations, those of its contacts that became no message, and a
 * redacted one. Texts that go by retention count too, since their mails would come back as new conversations. The mailboxes of a removed
 * widget are removed again with it, so their mails do not count.
 */
export async function mailsOfErasure(
  storage: Storage,
  { team_id, message_id, widget_id }: Pick<ErasureRow, "team_id" | "message_id" | "widget_id">,
  { contacts, conversations }: Hidden,
): Promise<ErasedMail[]> {
  const mails: ErasedMail[] = [];
  const add = (found: readonly FoundImport[]) => {
    for (const { account_id, key, home_widget_id } of found) {
      if (home_widget_id !== widget_id) mails.push({ kind: "mail", teamId: team_id, accountId: account_id, key });
    }
  };
  const others = [...contacts.map(({ contact_id }) => contact_id), ...(message_id === null ? [] : [message_id])];
  for (const some of inPieces(others)) {
    add(await storage.read((db) => db.all(importsOf, { team_id, message_ids: listParam(some) })));
  }
  const textsUpTo = new Map(conversations.map(({ conversation_id, texts_up_to }) => [conversation_id, texts_up_to]));
  for (const some of inPieces([...textsUpTo.keys()])) {
    const of = { team_id, conversation_ids: listParam(some) };
    const found = await storage.read((db) => db.all(importsOfConversations, of));
    add(
      found.filter(
        ({ conversation_id, sort_number }) =>
          sort_number <= (textsUpTo.get(conversation_id) ?? Number.POSITIVE_INFINITY),
      ),
    );
  }
  return mails;
}

function* inPieces(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) yield ids.slice(from, from + AT_ONCE);
}

type FoundImport = Pick<MailImportRow, "account_id" | "key"> & { home_widget_id: string };

/** Of messages, or of contacts whose mails were none (`forgetUnimportedOfContact`). */
const importsOf = statement<{ team_id: string; message_ids: string }, FoundImport>((db, param, dialect) =>
  db
    .selectFrom("mail_imports")
    .innerJoin("channel_accounts", (join) =>
      join
        .onRef("channel_accounts.team_id", "=", "mail_imports.team_id")
        .onRef("channel_accounts.id", "=", "mail_imports.account_id"),
    )
    .select(["mail_imports.account_id", "mail_imports.key", "channel_accounts.home_widget_id"])
    .where("mail_imports.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("mail_imports.message_id"), param("message_ids"))),
);

/** Found by the mails, since a conversation may have many messages that are none. */
const importsOfConversations = statement<
  { team_id: string; conversation_ids: string },
  FoundImport & Pick<MessageRow, "conversation_id" | "sort_number">
>((db, param, dialect) =>
  db
    .selectFrom("mails")
    .innerJoin("messages", (join) =>
      join.onRef("messages.team_id", "=", "mails.team_id").onRef("messages.id", "=", "mails.message_id"),
    )
    .innerJoin("mail_imports", (join) =>
      join
        .onRef("mail_imports.team_id", "=", "mails.team_id")
        .onRef("mail_imports.message_id", "=", "mails.message_id"),
    )
    .innerJoin("channel_accounts", (join) =>
      join
        .onRef("channel_accounts.team_id", "=", "mail_imports.team_id")
        .onRef("channel_accounts.id", "=", "mail_imports.account_id"),
    )
    .select(["mail_imports.account_id", "mail_imports.key", "channel_accounts.home_widget_id"])
    .select(["messages.conversation_id", "messages.sort_number"])
    .where("mails.team_id", "=", param("team_id"))
    .where((row) => dialect.isIn(row.ref("mails.conversation_id"), param("conversation_ids"))),
);
