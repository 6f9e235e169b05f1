import type { DetailSource } from "@frontdesk/core/domain/detail-source";
import { readWidgetSettings } from "@frontdesk/core/domain/widget-settings";
import type { VouchedIdentity } from "../access/visitor-identity.ts";
import type { Context } from "../context.ts";
import { setCustomValue } from "../custom-data/set-custom-data.ts";
import type { ContactRow, WidgetRow } from "../storage/tables.ts";
import { changeContact, type DetailsChange } from "./change-contact.ts";

/** What the page sends about its visitor. */
export interface PageWords {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  /** Custom data. */
  data?: Readonly<Record<string, string>> | undefined;
}

/**
 * Stores details of a visitor: from an identity, which is trusted, and from the page, as entered by the visitor. For a verified
 * contact the page fills in what is empty, and changes nothing. A name set by the team stays.
 * docs/decisions/0023-verified-visitors.md
 */
export async function describeVisitor(
  ctx: Context,
  contact: ContactRow,
  { widget, identity, page }: { widget: WidgetRow; identity: VouchedIdentity | undefined; page: PageWords },
): Promise<ContactRow> {
  const isVerified = identity !== undefined || contact.verified_id !== null;
  const vouched = vouchedBy(identity);
  const { name, ...said } = {
    ...(isVerified ? whatIsMissing(contact, page) : detailsOf(page)),
    ...vouched,
  };
  const change = contact.is_name_updated ? said : { ...said, name };
  const described = await changeContact(ctx, contact, change, sourceIn(vouched));
  const data = [
    ...Object.entries(settable(widget, page.data)).map((datum) => ["visitor", ...datum] as const),
    ...[...(identity?.data ?? [])].map((datum) => ["identity", ...datum] as const),
  ];
  // One after another: a name may be in both, and the identity takes precedence.
  for (const [source, field, value] of data) {
    await setCustomValue(ctx, described, { name: field, value }, { by: { system: {} }, source });
  }
  return described;
}

/** Who gives a detail of a visitor: the identity, else the visitor. */
export function sourceIn(vouched: DetailsChange): (detail: keyof DetailsChange) => DetailSource {
  return (detail) => (vouched[detail] === undefined ? "visitor" : "identity");
}

/** The details of an identity; what it leaves out stays. */
export function vouchedBy(identity: VouchedIdentity | undefined): DetailsChange {
  if (!identity) return {};
  const { id, name, email, phone } = identity;
  return defined({ name, email, phone, verified_id: id, verified_email: email });
}

/** The names of `data` that pages may not set. */
export function notSettable(widget: WidgetRow, data: PageWords["data"] = {}): string[] {
  const { page_fields } = readWidgetSettings(widget.settings);
  return Object.keys(data).filter((name) => !page_fields.includes(name));
}

function settable(widget: WidgetRow, data: PageWords["data"] = {}): Record<string, string> {
  const ignored = notSettable(widget, data);
  return Object.fromEntries(Object.entries(data).filter(([name]) => !ignored.includes(name)));
}

function detailsOf({ name, email, phone }: PageWords): DetailsChange {
  return defined({ name, email, phone });
}

function whatIsMissing(contact: ContactRow, page: PageWords): DetailsChange {
  const missing = Object.entries(detailsOf(page)).filter(([field]) => contact[field as keyof ContactRow] === null);
  return Object.fromEntries(missing);
}

/** Without undefined values, which would hide those of the other source. */
function defined(change: DetailsChange): DetailsChange {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}
