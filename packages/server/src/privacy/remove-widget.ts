import { scopesFor, scopesMissing } from "@frontdesk/core/domain/policy";
import { because } from "@frontdesk/core/domain/reasons";
import { lacksScopes, Refusal } from "@frontdesk/core/domain/refusal";
import { heldScopes } from "../access/by-actor.ts";
import { endVouchedSessions } from "../access/visitor-session-store.ts";
import { doer } from "../agents/acting-agent.ts";
import { withdrawWidget } from "../assistants/withdraw-widget.ts";
import type { Context, Operation } from "../context.ts";
import type { ErasureRow, WidgetRow } from "../storage/tables.ts";
import { findWidget } from "../widgets/find-widget.ts";
import { deleteFromWidgetDirectory, markWidgetRemoved } from "../widgets/widget-store.ts";
import { beginErasure } from "./begin-erasure.ts";
import { accountsOfWidget, endWidgetAccount, heldContactsOfWidget, widgetUse } from "./erase-widget-store.ts";
import { finishErasure } from "./finish-erasure.ts";
import { getErasure } from "./get-erasure.ts";

interface WidgetToRemove {
  widgetId: string;
  /** What happens to its contacts and conversations; left out, a widget that has some is not removed. */
  conversations?: "erase" | undefined;
  reason?: string | undefined;
  /** It was removed before, and a restored backup has it again: what kept it at that time had ended. */
  again?: true;
}

/**
 * Removes a widget. From this commit on it is unknown to pages, visitors and programs, and assistants that were limited to it do
 * not see it any more. Its contacts and conversations are left to the job (`hide-widget.ts`). A repeat is refused as not found.
 * docs/decisions/0057-removing-widgets.md
 *
 * @throws Refusal `not-found`; `conflict` while it has contacts and `conversations` does not say what happens to them, while one of
 *   them is on hold, and while it is the home of a channel account; `not-allowed` for a key that may not erase
 */
export const removeWidget: Operation<WidgetToRemove, ErasureRow> = {
  name: "remove-widget",
  mode: "write",
  async run(ctx, { widgetId, conversations, reason, again }) {
    const widget = await findWidget(ctx, widgetId);
    if (conversations === "erase") requireErasing(ctx);
    const isEmpty = !again && (await whetherEmpty(ctx, widget, conversations));
    const by = await doer(ctx, undefined);
    const { id: erasureId } = beginErasure(ctx, { what: "widget", of: { widget_id: widget.id }, by, reason });
    await forget(ctx, widget);
    if (isEmpty) await finishErasure.run(ctx, { erasureId });
    else ctx.enqueue({ kind: "erase", payload: { erasureId } });
    return getErasure.run(ctx, { erasureId });
  },
};

/** A key that erases contacts with their widget needs the scope to erase contacts. */
function requireErasing({ actor }: Context): void {
  const missing = scopesMissing(scopesFor("erase-contact") ?? [], heldScopes(actor));
  if (missing.length > 0) throw lacksScopes("erase the conversations of a widget", missing);
}

/** @throws Refusal `conflict` */
async function whetherEmpty(
  ctx: Context,
  { id: widget_id }: WidgetRow,
  conversations: WidgetToRemove["conversations"],
): Promise<boolean> {
  const of = { team_id: ctx.teamId, widget_id };
  const [use, [account], [held, ...more]] = await Promise.all([
    ctx.db.first(widgetUse, of),
    ctx.db.all(accountsOfWidget, of),
    ctx.db.all(heldContactsOfWidget, { ...of, now: ctx.now }),
  ]);
  if (!use) throw new Error("A count has no row.");
  if (account) throw conflict(because("widget-is-home", { account: account.name ?? account.channel }));
  if (use.contacts === 0) return true;
  if (conversations !== "erase") throw conflict(because("widget-in-use", { ...use }));
  if (held) throw conflict(because("widget-contacts-held", { count: more.length + 1, reason: held.reason }));
  return false;
}

const conflict = (why: ReturnType<typeof because>) => new Refusal({ name: "conflict" }, why);

/** Takes it from everything that finds widgets, visitors or grants. */
async function forget(ctx: Context, widget: WidgetRow): Promise<void> {
  const itself = { team_id: ctx.teamId, id: widget.id };
  ctx.write(markWidgetRemoved, { ...itself, removed_at: ctx.now });
  ctx.write(deleteFromWidgetDirectory, { widget_id: widget.id });
  ctx.write(endWidgetAccount, { ...itself, deleted_at: ctx.now });
  ctx.write(endVouchedSessions, { team_id: ctx.teamId, vouched_by: widget.id });
  // What was cached of it, in this process or another, is read again.
  ctx.db.announce("access");
  ctx.count("widgets", -1);
  ctx.record({ name: "widget.removed", widget });
  await withdrawWidget(ctx, widget.id);
}
