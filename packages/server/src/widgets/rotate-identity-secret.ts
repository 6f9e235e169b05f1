import { newToken } from "../access/token.ts";
import { endVouchedSessions } from "../access/visitor-session-store.ts";
import type { Operation } from "../context.ts";
import type { WidgetRow } from "../storage/tables.ts";
import { findWidget } from "./find-widget.ts";
import { identitySecretPlace, setIdentitySecret } from "./widget-store.ts";

/**
 * Makes the secret that the owner's server signs identities with, in the place of one that was there: what that has signed,
 * and the sessions that were verified by it, end at once. The secret is in the result and nowhere else; a repeat makes
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
    // Streams of those sessions are open.
    ctx.db.announce("access");
    ctx.record({ name: "widget.updated", widget });
    return { widget, secret };
  },
};
