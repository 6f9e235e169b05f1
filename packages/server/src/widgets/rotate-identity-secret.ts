import { newToken } from "../access/token.ts";
import { endVouchedSessions } from "../access/visitor-session-store.ts";
import type { Operation } from "../context.ts";
import type { WidgetRow } from "../storage/tables.ts";
import { findWidget } from "./find-widget.ts";
import { identitySecretPlace, setIdentitySecret } from "./widget-store.ts";

/**
 * Creates the secret that the owner's server signs identities with, and replaces the previous one: the identities it has
 * signed, and the sessions verified by them, end at once. The secret is in the result and nowhere else; a repeat creates
 * another one. docs/decisions/0023-verified-visitors.md
 *
 * @throws Refusal `not-found`
 */
export const rotateIdentitySecret: Operation<{ widgetId: string }, { widget: WidgetRow; secret: string }> = {
  name: "rotate-identity-secret",
  mode: "write",
  async run(ctx, { widgetId }) {
    const before = await findWidget(ctx, widgetId);
    const secret = newToken("identity", ctx.teamId, ctx.random);
    const widget: WidgetRow = {
      ...before,
      identity_secret_sealed: ctx.vault.seal(secret, identitySecretPlace(before)),
      identity_secret_at: ctx.now,
    };
    ctx.write(setIdentitySecret, widget);
    ctx.write(endVouchedSessions, { team_id: ctx.teamId, vouched_by: widget.id });
    // Those sessions may have open streams.
    ctx.db.announce("access");
    ctx.record({ name: "widget.updated", widget });
    return { widget, secret };
  },
};
