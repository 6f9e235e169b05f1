import { searchable, searchText } from "@frontdesk/core/domain/search-text";
import type { Context, Operation } from "../context.ts";
import type { FiredTimer } from "../timers/timer.ts";
import {
  contactsToFold,
  messagesToFold,
  storeFoldedContact,
  storeFoldedMessage,
  storeFoldedSubject,
  subjectsToFold,
} from "./folding-store.ts";

/** In this order. */
const KINDS = ["contacts", "messages", "subjects"] as const;

/** How far it has come: everything of this kind from this id on is done. */
export interface FoldedSoFar {
  of: (typeof KINDS)[number];
  before: string;
}

/** In one commit; others of the team wait for it some hundredths of a second. */
export const AT_ONCE = 500;
/** Time for others between two pieces. */
const PAUSE_MS = 50;
const NEWEST = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/**
 * Folds again what a team's contacts, messages and subjects are found by, after the rule has changed (migration 26), or subjects
 * alone, of which nothing was stored (migration 44). Run by a timer, piece by piece, the newest first, since they are looked for
 * most.
 */
export const foldSearchTexts: Operation<FiredTimer<"fold-search-texts">, void> = {
  name: "fold-search-texts",
  mode: "write",
  async run(ctx, { subjectId, data }) {
    const { of, before } = data ?? { of: KINDS[0], before: NEWEST };
    const last = await folds[of](ctx, before);
    const then = KINDS[KINDS.indexOf(of) + 1];
    const next: FoldedSoFar | undefined =
      last !== undefined ? { of, before: last } : then && { of: then, before: NEWEST };
    if (next) ctx.setTimer({ kind: "fold-search-texts", subjectId, dueAt: ctx.now + PAUSE_MS, data: next });
  },
};

/** Each returns where the next piece begins; undefined after the last one. */
const folds: Record<FoldedSoFar["of"], (ctx: Context, before: string) => Promise<string | undefined>> = {
  contacts: foldContacts,
  messages: foldMessages,
  subjects: foldSubjects,
};

async function foldContacts(ctx: Context, before: string): Promise<string | undefined> {
  const rows = await ctx.db.all(contactsToFold, { team_id: ctx.teamId, before_id: before, limit: AT_ONCE });
  for (const { id, name, email, search_text } of rows) {
    const folded = searchText(name, email);
    if (folded !== search_text) ctx.write(storeFoldedContact, { team_id: ctx.teamId, id, search_text: folded });
  }
  return rows.length < AT_ONCE ? undefined : rows.at(-1)?.id;
}

async function foldMessages(ctx: Context, before: string): Promise<string | undefined> {
  const rows = await ctx.db.all(messagesToFold, { team_id: ctx.teamId, before_id: before, limit: AT_ONCE });
  for (const { id, content, content_folded, ...place } of rows) {
    const folded = searchable(content ?? "");
    if (folded !== content_folded) {
      ctx.write(storeFoldedMessage, { team_id: ctx.teamId, ...place, content_folded: folded });
    }
  }
  return rows.length < AT_ONCE ? undefined : rows.at(-1)?.id;
}

async function foldSubjects(ctx: Context, before: string): Promise<string | undefined> {
  const rows = await ctx.db.all(subjectsToFold, { team_id: ctx.teamId, before_id: before, limit: AT_ONCE });
  for (const { id, email_subject, email_subject_folded } of rows) {
    const folded = searchable(email_subject ?? "");
    if (folded !== email_subject_folded) {
      ctx.write(storeFoldedSubject, { team_id: ctx.teamId, id, email_subject_folded: folded });
    }
  }
  return rows.length < AT_ONCE ? undefined : rows.at(-1)?.id;
}
