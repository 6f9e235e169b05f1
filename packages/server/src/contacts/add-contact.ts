import { contactColor } from "@frontdesk/core/domain/contact-color";
import { countryCode } from "@frontdesk/core/domain/country";
import type { DetailSource } from "@frontdesk/core/domain/detail-source";
import { foldText } from "@frontdesk/core/domain/folded-text";
import { phoneDigits } from "@frontdesk/core/domain/phone";
import { searchText } from "@frontdesk/core/domain/search-text";
import type { ChannelAccount } from "../channels/channel-account.ts";
import type { Context } from "../context.ts";
import type { ContactRow } from "../storage/tables.ts";
import { insertContact } from "./contact-store.ts";

/** What is known of a new contact; an empty text counts as nothing. */
export interface ContactDetails {
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: string | null | undefined;
  country_dialing_code?: string | undefined;
  location?: string | undefined;
  browser_type?: string | null | undefined;
  country?: string | undefined;
  timezone?: string | null | undefined;
  language?: string | undefined;
  ip?: string | undefined;
  operating_system?: string | null | undefined;
  /** Stored as received, and not shown. */
  intake?: Record<string, unknown> | undefined;
}

/** The details of which it is stored who gave them. */
export type SourcedDetail = "email" | "phone";

/** The id in the owner's own system, from a signed identity. Apart from the details, which any visitor can enter. */
export type Verified = Pick<ContactRow, "verified_id" | "verified_email">;

/**
 * Creates a contact who came by an account, with an id of its own.
 *
 * @param sourceOf who gave a detail; left out: the channel, which nothing is known of
 * @param activeAt when they were active, ms since the epoch; left out: now
 */
export function addContact(
  ctx: Context,
  { channel, homeWidget }: Pick<ChannelAccount, "channel" | "homeWidget">,
  details: ContactDetails,
  {
    verified = { verified_id: null, verified_email: null },
    sourceOf = () => null,
    activeAt = ctx.now,
  }: {
    verified?: Verified;
    sourceOf?: (detail: SourcedDetail) => DetailSource | null;
    activeAt?: number | undefined;
  } = {},
): ContactRow {
  const id = ctx.newId();
  const name = details.name || null;
  const email = details.email || null;
  const phone = details.phone || null;
  const country = details.country || null;
  const contact: ContactRow = {
    team_id: ctx.teamId,
    id,
    widget_id: homeWidget.id,
    channel,
    name,
    email,
    email_folded: email && foldText(email),
    phone,
    phone_digits: phoneDigits(phone),
    search_text: searchText(name, email),
    country_dialing_code: details.country_dialing_code || null,
    bgcolor: contactColor(id),
    location: details.location || null,
    browser_type: details.browser_type || null,
    country,
    country_code: countryCode(country),
    online_status: "offline",
    last_active_at: Math.min(activeAt, ctx.now),
    blocked_at: null,
    is_name_updated: 0,
    verified_id: verified.verified_id,
    verified_email: verified.verified_email,
    email_source: email && sourceOf("email"),
    phone_source: phone && sourceOf("phone"),
    timezone: details.timezone || null,
    language: details.language || null,
    ip: details.ip || null,
    operating_system: details.operating_system || null,
    intake: details.intake ? JSON.stringify(details.intake) : null,
    created_at: ctx.now,
    conversation_count: 0,
  };
  ctx.write(insertContact, contact);
  ctx.count("contacts", 1);
  ctx.moveInList("contacts", undefined, contact.last_active_at);
  ctx.record({ name: "contact.created", contact });
  return contact;
}
