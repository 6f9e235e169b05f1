import { erasedBefore, type ResolvedRetention, type RetentionRules } from "@frontdesk/core/domain/retention";
import { deletePageVisit } from "../contacts/contact-store.ts";
import type { Context } from "../context.ts";
import { conversationById } from "../conversations/conversation-store.ts";
import { oldSpamOfAccount } from "../email/spam/spam-store.ts";
import { firstIdOf } from "../ids.ts";
import { listParam } from "../storage/dialect.ts";
import type { Statement } from "../storage/statement.ts";
import { dropExports } from "./drop-exports.ts";
import { dropUnimportedMails } from "./drop-unimported-mails.ts";
import { emptyPayloads } from "./empty-payloads.ts";
import { hideContact } from "./erase-contact.ts";
import type { ErasedCounts } from "./erased-counts.ts";
import { giveUpAttachments } from "./give-up-attachments.ts";
import { hideConversations } from "./hide-conversations.ts";
import { hideTexts } from "./hide-texts.ts";
import { eventsAbout } from "./redact-store.ts";
import { type Retention, rulesOf } from "./retention.ts";
import * as store from "./retention-store.ts";

/** The erasure that a run of retention writes to. */
export interface Run {
  erasureId: string;
  counts: ErasedCounts;
  /** Of the events that there are, the number after the last. */
  eventsBefore: number;
}

/** Some of one kind that is old enough to go, the oldest first. */
export interface Due {
  count: number;
  /** Their contacts, where these may go with them. */
  contactIds?: readonly string[];
  erase(run: Run): Promise<void> | void;
}

interface Where {
  team_id: string;
  /** Of a widget: its id. */
  account_id: string;
  widget_id: string;
  before: number;
  now: number;
  limit: number;
}

export interface DueKind {
  /** Whether it is looked for in every account, in every widget, or once. */
  of: "accounts" | "widgets" | "team";
  days(rules: RetentionRules, all: ResolvedRetention): number | null;
  /** In one commit, for which the team's other writes wait. */
  atOnce: number;
  find(ctx: Context, where: Where): Promise<Due>;
}

/** What is erased, in this order: contacts go after their last conversation. */
export const dueKinds = {
  conversations: {
    of: "accounts",
    days: ({ erase_what, erase_after_days }) => (erase_what === "conversations" ? erase_after_days : null),
    atOnce: 20,
    async find(ctx, where) {
      const rows = await ctx.db.all(store.quietConversations, where);
      return {
        count: rows.length,
        contactIds: rows.map(({ contact_id }) => contact_id),
        erase(run) {
          hideConversations(ctx, run.erasureId, rows, run.eventsBefore);
          for (const { id, contact_id: contactId } of rows) {
            const erased = { contactId, conversationIds: [id] };
            ctx.record({ name: "erasure.started", erased, contact: { id: contactId } });
          }
          run.counts.conversations += rows.length;
        },
      };
    },
  },
  texts: {
    of: "accounts",
    days: ({ erase_what, erase_after_days }) => (erase_what === "texts" ? erase_after_days : null),
    atOnce: 50,
    async find(ctx, where) {
      const rows = await ctx.db.all(store.quietTexts, where);
      return { count: rows.length, erase: (run) => hideTexts(ctx, run.erasureId, rows, run.eventsBefore) };
    },
  },
  contacts: {
    of: "widgets",
    days: ({ erase_what, erase_after_days }) => (erase_what === "conversations" ? erase_after_days : null),
    atOnce: 20,
    async find(ctx, where) {
      const rows = await ctx.db.all(store.inactiveContacts, where);
      return {
        count: rows.length,
        erase(run) {
          for (const contact of rows) hideContact(ctx, run.erasureId, contact);
          run.counts.contacts += rows.length;
        },
      };
    },
  },
  files: {
    of: "accounts",
    days: ({ files_after_days }) => files_after_days,
    atOnce: 50,
    async find(ctx, where) {
      const rows = await ctx.db.all(store.oldAttachments, where);
      return { count: rows.length, erase: (run) => eraseFiles(ctx, run, rows) };
    },
  },
  originals: {
    of: "accounts",
    days: ({ files_after_days }) => files_after_days,
    atOnce: 50,
    async find(ctx, where) {
      const rows = await ctx.db.all(store.oldOriginals, where);
      return { count: rows.length, erase: (run) => eraseFiles(ctx, run, rows) };
    },
  },
  unimported_mails: {
    of: "accounts",
    days: ({ files_after_days }) => files_after_days,
    atOnce: 50,
    async find(ctx, where) {
      const failed = await ctx.db.all(store.oldUnimported, where);
      const of = { ...where, before_id: firstIdOf(where.before), limit: where.limit - failed.length };
      const rows = [...failed, ...(await ctx.db.all(oldSpamOfAccount, of))];
      return {
        count: rows.length,
        erase(run) {
          dropUnimportedMails(ctx, rows);
          run.counts.files += rows.length;
        },
      };
    },
  },
  page_visits: {
    of: "widgets",
    days: ({ page_visits_after_days }) => page_visits_after_days,
    atOnce: 200,
    async find(ctx, where) {
      const rows = await ctx.db.all(store.oldPageVisits, where);
      return {
        count: rows.length,
        erase(run) {
          for (const visit of rows) ctx.write(deletePageVisit, { team_id: ctx.teamId, ...visit });
          dropExports(
            ctx,
            rows.map(({ contact_id }) => contact_id),
          );
          run.counts.page_visits += rows.length;
        },
      };
    },
  },
  contact_ips: addresses(store.contactsWithOldIp, store.forgetContactIp, dropExports),
  session_ips: addresses(store.sessionsWithOldIp, store.forgetSessionIp),
  audit_ips: addresses(store.auditWithOldIp, store.forgetAuditIp),
} as const satisfies Record<string, DueKind>;

export type DueKindName = keyof typeof dueKinds;

/** At most `limit` of a kind that the rules erase. */
export async function findDue(
  ctx: Context,
  kind: DueKind,
  { places }: Retention,
  rules: ResolvedRetention,
  limit: number,
): Promise<Due[]> {
  const wanted = kind.of === "accounts" ? places : kind.of === "widgets" ? places.filter((each) => each.isWidget) : [];
  const scopes = kind.of === "team" ? [{ accountId: "", widgetId: "" }] : wanted;
  const found: Due[] = [];
  let left = limit;
  for (const { accountId, widgetId } of scopes) {
    const before = erasedBefore(ctx.now, kind.days(rulesOf(rules, accountId), rules));
    if (before === undefined || left === 0) continue;
    const where = {
      team_id: ctx.teamId,
      account_id: accountId,
      widget_id: widgetId,
      before,
      now: ctx.now,
      limit: left,
    };
    const due = await kind.find(ctx, where);
    if (due.count > 0) found.push(due);
    left -= due.count;
  }
  return found;
}

async function eraseFiles(ctx: Context, run: Run, rows: readonly store.OldAttachment[]): Promise<void> {
  const messageIds = new Set(rows.map(({ message_id }) => message_id));
  run.counts.files += (await giveUpAttachments(ctx, [...messageIds], "files")).attachments;
  dropExports(
    ctx,
    rows.map(({ contact_id }) => contact_id),
  );
  for (const [contact_id, ofContact] of Map.groupBy(rows, (row) => row.contact_id)) {
    const about = listParam([...new Set(ofContact.map(({ message_id }) => message_id))]);
    const events = await ctx.db.all(eventsAbout, { team_id: ctx.teamId, contact_id, about });
    emptyPayloads(ctx, events, "files", messageIds);
  }
  for (const [conversationId, ofConversation] of Map.groupBy(rows, (row) => row.conversation_id)) {
    // Erased as a whole meanwhile, its id is not named in the log again.
    const conversation = await ctx.db.first(conversationById, { team_id: ctx.teamId, id: conversationId });
    if (!conversation) continue;
    const erasedFiles = {
      conversationId,
      messageIds: [...new Set(ofConversation.map(({ message_id }) => message_id))],
    };
    ctx.record({ name: "conversation.files-erased", contact: { id: conversation.contact_id }, erasedFiles });
  }
}

/**
 * IP addresses of one table.
 *
 * @param also what goes with them in the same commit
 */
function addresses<P extends Pick<Where, "team_id" | "limit">>(
  find: Statement<P, { id: string }>,
  forget: Statement<{ team_id: string; ids: string }, unknown>,
  also: (ctx: Context, ids: readonly string[]) => void = () => {},
): DueKind {
  return {
    of: "team",
    days: (_, { ip_after_days }) => ip_after_days,
    atOnce: 500,
    async find(ctx, where) {
      const rows = await ctx.db.all(find, { ...where, before_id: firstIdOf(where.before) } as unknown as P);
      return {
        count: rows.length,
        erase(run) {
          const ids = rows.map(({ id }) => id);
          ctx.write(forget, { team_id: ctx.teamId, ids: listParam(ids) });
          also(ctx, ids);
          run.counts.ip_addresses += rows.length;
        },
      };
    },
  };
}
