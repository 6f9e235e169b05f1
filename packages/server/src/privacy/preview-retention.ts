import { erasedBefore, type ResolvedRetention, resolveRetention } from "@frontdesk/core/domain/retention";
import type { Context, Operation } from "../context.ts";
import { listParam } from "../storage/dialect.ts";
import { type Due, dueKinds, findDue } from "./due-kinds.ts";
import { type Retention, readRetention, rulesOf } from "./retention.ts";
import { inactiveOf } from "./retention-store.ts";
import { type RetentionChange, settingsAfter } from "./update-retention.ts";

/** No kind is counted further. */
export const PREVIEW_MAX = 10_000;

/** How many of each kind would be erased now; at most `PREVIEW_MAX`. */
export interface RetentionPreview {
  teamId: string;
  conversations: number;
  contacts: number;
  files: number;
  page_visits: number;
  ip_addresses: number;
}

/**
 * What the settings would erase if they held at once, after a change of them.
 *
 * @throws Refusal `invalid`, as `update-retention`
 */
export const previewRetention: Operation<RetentionChange, RetentionPreview> = {
  name: "preview-retention",
  mode: "read",
  oneAtATime: () => true,
  async run(ctx, change) {
    const retention = await readRetention(ctx);
    const rules = resolveRetention(settingsAfter(retention, change), retention.places);
    const due = (kind: keyof typeof dueKinds) => findDue(ctx, dueKinds[kind], retention, rules, PREVIEW_MAX);
    const conversations = await due("conversations");
    const contacts = total(await due("contacts")) + (await contactsThatFollow(ctx, retention, rules, conversations));
    const files = [...(await due("files")), ...(await due("originals")), ...(await due("unimported_mails"))];
    const addresses = [await due("contact_ips"), await due("session_ips"), await due("audit_ips")];
    return {
      teamId: ctx.teamId,
      conversations: capped(total([...conversations, ...(await due("texts"))])),
      contacts: capped(contacts),
      files: capped(total(files)),
      page_visits: total(await due("page_visits")),
      ip_addresses: capped(total(addresses.flat())),
    };
  },
};

const total = (due: readonly Due[]): number => due.reduce((sum, { count }) => sum + count, 0);
const capped = (count: number): number => Math.min(count, PREVIEW_MAX);

/** Contacts whose every conversation is due, and who are due themselves then. */
async function contactsThatFollow(
  ctx: Context,
  { places }: Retention,
  rules: ResolvedRetention,
  conversations: readonly Due[],
): Promise<number> {
  const dueOf = new Map<string, number>();
  for (const id of conversations.flatMap(({ contactIds = [] }) => contactIds)) dueOf.set(id, (dueOf.get(id) ?? 0) + 1);
  if (dueOf.size === 0) return 0;
  let follow = 0;
  for (const { accountId: widget_id, isWidget } of places) {
    const { erase_what, erase_after_days } = rulesOf(rules, widget_id);
    const before = erase_what === "conversations" ? erasedBefore(ctx.now, erase_after_days) : undefined;
    if (!isWidget || before === undefined) continue;
    const contact_ids = listParam([...dueOf.keys()]);
    const rows = await ctx.db.all(inactiveOf, { team_id: ctx.teamId, widget_id, before, contact_ids });
    follow += rows.filter(({ id, conversation_count }) => dueOf.get(id) === conversation_count).length;
  }
  return follow;
}
