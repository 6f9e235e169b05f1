import type { VouchedIdentity } from "../access/visitor-identity.ts";
import type { Operation } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { describeVisitor, notSettable, type PageWords } from "./describe-visitor.ts";
import { recogniseVisitor } from "./recognise-visitor.ts";

/** Who the visitor is, after an introduction. */
export interface Introduced {
  /** Undefined while there is nobody: they have not written, and the identity names nobody who is known. */
  contact: ContactRow | undefined;
  /** Until when a verified session lasts without another introduction, ms since the epoch; null for any other. */
  verifiedUntil: number | null;
  /** Names of custom data that pages may not set. */
  ignored: string[];
}

/**
 * The page tells who its visitor is. A repeat changes nothing, but for how long a verified session lasts. Of somebody who is
 * not known yet nothing is stored: the first message brings it along. docs/decisions/0023-verified-visitors.md
 *
 * @throws Refusal `not-authenticated` naming `identity` when a verified session has run out and nobody vouches anew
 */
export const introduceVisitor: Operation<{ identity: VouchedIdentity | undefined; page: PageWords }, Introduced> = {
  name: "introduce-visitor",
  mode: "write",
  async run(ctx, { identity, page }) {
    const { widget, known } = await recogniseVisitor(ctx, identity);
    const ignored = notSettable(widget, page.data);
    if (!known) return { contact: undefined, verifiedUntil: null, ignored };
    // Whom the team has blocked says nothing more, by the page either.
    const words = known.contact.blocked_at === null ? page : {};
    const contact = await describeVisitor(ctx, known.contact, { widget, identity, page: words });
    return { contact, verifiedUntil: known.verifiedUntil, ignored };
  },
};
