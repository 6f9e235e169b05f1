import type { ExportedContact, ExportedConversation } from "@frontdesk/core/contract/contact-export";
import type { DetailSource } from "@frontdesk/core/domain/detail-source";
import { countryOf } from "../contacts/contact-country.ts";
import type { CustomValueRow } from "../custom-data/custom-data-store.ts";
import type {
  ContactIdentityRow,
  ContactRow,
  ConversationRow,
  ExportRow,
  MailSuppressionRow,
  PageVisitRow,
  TeamRow,
} from "../storage/tables.ts";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import type { UnimportedMail } from "./export-mails-store.ts";

type WidgetNames = ReadonlyMap<string, string | null>;

/** The rows behind `contact.json`. */
export interface ExportedRows {
  row: ExportRow;
  team: TeamRow;
  contact: ContactRow;
  fields: readonly CustomValueRow[];
  identities: readonly Pick<ContactIdentityRow, "kind" | "value">[];
  visits: readonly PageVisitRow[];
  suppressions: readonly Omit<MailSuppressionRow, "team_id" | "account_id">[];
  unimported: readonly UnimportedMail[];
  widgetName: WidgetNames;
}

/** Everything that is stored of a contact, but what only serves to find or show them. */
export function presentExportedContact({
  row,
  team,
  contact,
  fields,
  identities,
  visits,
  suppressions,
  unimported,
  widgetName,
}: ExportedRows): Omit<ExportedContact, "version"> {
  return {
    exported_at: isoTime(row.requested_at),
    includes_notes: row.include_notes === 1,
    team: team.name,
    contact: {
      id: contact.id,
      name: contact.name,
      email: contact.email,
      email_source: contact.email_source as DetailSource | null,
      phone: contact.phone,
      phone_source: contact.phone_source as DetailSource | null,
      country_dialing_code: contact.country_dialing_code,
      verified_id: contact.verified_id,
      verified_email: contact.verified_email,
      location: contact.location,
      country: countryOf(contact).country,
      country_code: countryOf(contact).country_code,
      timezone: contact.timezone,
      language: contact.language,
      ip: contact.ip,
      browser: contact.browser_type,
      operating_system: contact.operating_system,
      channel: contact.channel,
      widget: widgetName.get(contact.widget_id) ?? null,
      created_at: isoTime(contact.created_at),
      last_active_at: isoTime(contact.last_active_at),
      blocked_at: isoTimeOrNull(contact.blocked_at),
      intake: contact.intake === null ? null : JSON.parse(contact.intake),
      custom_data: fields.map(({ name, value, source, updated_at }) => ({
        name,
        value,
        source: source as DetailSource | null,
        updated_at: isoTime(updated_at),
      })),
      identities: identities.map(({ kind, value }) => ({ kind, value })),
      page_visits: visits.map(({ page, visited_at }) => ({ page, visited_at: isoTime(visited_at) })),
      suppressions: suppressions.map(({ address, reason, created_at }) => ({
        ...{ address, reason, created_at: isoTime(created_at) },
      })),
      unimported_emails: unimported.map(({ taken_at, size }) => ({ received_at: isoTime(taken_at), size, file: null })),
    },
  };
}

/** @param tags left out without notes: they are the team's own, too */
export function presentExportedConversation(
  conversation: ConversationRow,
  widgetName: WidgetNames,
  tags: string[] | undefined,
): ExportedConversation {
  const { id, channel, rating } = conversation;
  return {
    id,
    channel,
    widget: widgetName.get(conversation.widget_id) ?? null,
    first_page_url: conversation.first_page_url,
    email_subject: conversation.email_subject,
    created_at: isoTime(conversation.created_at),
    resolved_at: isoTimeOrNull(conversation.resolved_at),
    rating:
      rating === null
        ? null
        : { rating, comment: conversation.rating_comment, rated_at: isoTimeOrNull(conversation.rated_at) },
    ...(tags && { tags }),
  };
}
