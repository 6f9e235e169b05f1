import type { VouchedIdentity } from "../access/visitor-identity.ts";
import type { Operation } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { describeVisitor, notSettable, type PageWords } from "./describe-visitor.ts";
import { recogniseVisitor } from "./recognise-visitor.ts";

/** Who the visitor is once identified. */
export interface Identified {
  /** Undefined without a contact: the visitor has not written, and the identity names no known contact. */
  contact: ContactRow | undefined;
  /** Until when a verified session lasts without being identified again, ms since the epoch; null for any other. */
  verifiedUntil: number | null;
  /** What the identity says of a visitor without a contact. */
  given: ("name" | "email")[];
  /** Names of custom data that pages may not set. */
  ignored: string[];
}

/**
 * The page identifies its visitor. A repeat only extends a verified session. Nothing is stored of a visitor without a
 * contact: the first message brings the identity along. docs/decisions/0023-verified-visitors.md
 *
 * @throws Refusal `not-authenticated` naming `identity` when a verified session has expired and no new identity is given
 */
export const identifyVisitor: Operation<{ identity: VouchedIdentity | undefined; page: PageWords }, Identified> = {
  name: "identify-visitor",
  mode: "write",
  async run(ctx, { identity, page }) {
    const { widget, known } = await recogniseVisitor(ctx, identity);
    const ignored = notSettable(widget, page.data);
    if (!known) {
      const given = (["name", "email"] as const).filter((detail) => identity?.[detail] !== undefined);
      return { contact: undefined, verifiedUntil: null, given, ignored };
    }
    // A blocked contact changes nothing, by the page either.
    const words = known.contact.blocked_at === null ? page : {};
    const contact = await describeVisitor(ctx, known.contact, { widget, identity, page: words });
    return { contact, verifiedUntil: known.verifiedUntil, given: [], ignored };
  },
};
