import { canonicalId } from "@frontdesk/core/domain/id";
import { introduceAgain, notAuthenticated, notFound } from "@frontdesk/core/domain/refusal";
import { hasRunOut } from "@frontdesk/core/domain/visitor-identity";
import { contactById } from "../contacts/contact-store.ts";
import type { Storage } from "../storage/database.ts";
import { teamOfWidget } from "../widgets/widget-store.ts";
import type { SystemActor, VisitorActor } from "./actor.ts";
import { remembered } from "./remembered.ts";
import { tokenHash, VISITOR_TOKEN } from "./token.ts";
import { visitorSession } from "./visitor-session-store.ts";

export function authenticateVisitors(storage: Storage, now: () => number) {
  /** A widget never changes its team. */
  const widgets = remembered<{ id: string; team_id: string }>(storage);

  return {
    /**
     * The visitor whose browser has made the token. Before the first message it is no contact yet, and may only write or be
     * identified (docs/decisions/0020-live-stream.md). A verified visitor is refused when the session has expired.
     *
     * @param evenOver for requests that may contain an identity: a visitor whose session has expired is no contact then, and
     *   is not refused
     * @throws Refusal `not-authenticated` for a missing or malformed token, and naming `identity` for a visitor who has to be
     *   identified again; `not-found` for the widget
     */
    async visitor(token: string | undefined, widgetId: string, evenOver = false): Promise<VisitorActor> {
      if (token === undefined || !VISITOR_TOKEN.test(token)) throw notAuthenticated("token");
      const widget = await findWidget(widgetId);
      const hash = tokenHash(token);
      const session = await storage.first(visitorSession, { team_id: widget.team_id, token_hash: hash });
      const verifiedUntil = session?.verified_until ?? undefined;
      const hasEnded = verifiedUntil !== undefined && hasRunOut(verifiedUntil, now());
      if (hasEnded && !evenOver) throw introduceAgain();
      return {
        kind: "visitor",
        teamId: widget.team_id,
        widgetId: widget.id,
        tokenHash: hash,
        ...(hasEnded
          ? { contactId: undefined, verifiedUntil: undefined }
          : { contactId: session?.contact_id, verifiedUntil }),
      };
    },

    /** Whether the team has blocked this contact. */
    async isBlocked({ teamId, contactId }: { teamId: string; contactId: string }): Promise<boolean> {
      const contact = await storage.first(contactById, { team_id: teamId, id: contactId });
      return contact !== undefined && contact.blocked_at !== null;
    },

    /**
     * The team of a widget, for the public pages of the widget.
     *
     * @throws Refusal `not-found` for the widget
     */
    async teamOfWidget(widgetId: string): Promise<SystemActor> {
      return { kind: "system", teamId: (await findWidget(widgetId)).team_id };
    },
  };

  async function findWidget(widgetId: string): Promise<{ id: string; team_id: string }> {
    const id = canonicalId(widgetId);
    if (!id) throw notFound("widget");
    return widgets.get(id, async () => {
      const widget = await storage.first(teamOfWidget, { id });
      if (!widget) throw notFound("widget");
      return { id, team_id: widget.team_id };
    });
  }
}
