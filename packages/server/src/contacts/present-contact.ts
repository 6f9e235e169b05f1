import type { Contact, ListedContact } from "@frontdesk/core/contract";
import { countryEmoji } from "@frontdesk/core/domain/country";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import { countryOf } from "./contact-country.ts";
import type { WholeContact } from "./list-contacts.ts";

type Attributes = Contact["attributes"];

/** How each attribute of a contact is made (specification, "Contact"; decisions 9 and 10). */
const attributes: { [Name in keyof Attributes]: (whole: WholeContact) => Attributes[Name] } = {
  widget_name: ({ contact }) => contact.widget_name,
  widget_id: ({ contact }) => contact.widget_id,
  team_id: ({ contact }) => contact.team_id,
  name: ({ contact }) => contact.name,
  email: ({ contact }) => contact.email,
  phone: ({ contact }) => contact.phone,
  country_dialing_code: ({ contact }) => contact.country_dialing_code,
  bgcolor: ({ contact }) => contact.bgcolor,
  location: ({ contact }) => contact.location,
  browser_type: ({ contact }) => contact.browser_type,
  country_code: ({ contact }) => countryOf(contact).country_code,
  country: ({ contact }) => countryOf(contact).country,
  // An image of a flag would have to be loaded from another site.
  country_flag: () => null,
  country_emoji: ({ contact }) => countryEmoji(countryOf(contact).country_code),
  page_visited: ({ pageVisits }) => pageVisits.map(({ page, visited_at }) => ({ page, date: isoTime(visited_at) })),
  online_status: ({ contact }) => contact.online_status as Attributes["online_status"],
  last_active_at: ({ contact }) => isoTime(contact.last_active_at),
  blocked_at: ({ contact }) => isoTimeOrNull(contact.blocked_at),
  is_name_updated: ({ contact }) => contact.is_name_updated === 1,
  created_at: ({ contact }) => isoTime(contact.created_at),
  verified_id: ({ contact }) => contact.verified_id,
  verified_email: ({ contact }) => contact.verified_email,
  timezone: ({ contact }) => contact.timezone,
  language: ({ contact }) => contact.language,
  ip: ({ contact }) => contact.ip,
  operating_system: ({ contact }) => contact.operating_system,
};

const everyField = Object.keys(attributes) as (keyof Attributes)[];

/** A contact with all its attributes. */
export function presentContact(whole: WholeContact): Contact {
  return presentListedContact(whole, everyField) as Contact;
}

/** A contact with the requested attributes. */
export function presentListedContact(whole: WholeContact, fields: readonly (keyof Attributes)[]): ListedContact {
  return {
    type: "chat-contacts",
    id: whole.contact.id,
    attributes: Object.fromEntries(fields.map((field) => [field, attributes[field](whole)])),
  };
}
