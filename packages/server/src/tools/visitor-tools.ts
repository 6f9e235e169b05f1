import { getVisitor, searchContacts } from "@frontdesk/core/contract/tools/visitors";
import { countryOf } from "../contacts/contact-country.ts";
import { findContacts } from "../contacts/find-contacts.ts";
import { getContact } from "../contacts/get-contact.ts";
import { isoTime } from "../timestamp.ts";
import { fitting } from "./fitting.ts";
import { presentToolPerson } from "./present-tool-conversation.ts";
import { serve } from "./served-tool.ts";

export const visitorTools = [
  serve(
    getVisitor,
    getContact,
    ({ visitor_id }) => ({ contactId: visitor_id }),
    ({ contact }) => {
      const { phone, language, timezone, widget_id, created_at } = contact;
      const { country } = countryOf(contact);
      const about = { phone, country, language, timezone, widget_id, created_at: isoTime(created_at) };
      return { visitor: { ...presentToolPerson(contact), ...about } };
    },
  ),
  serve(
    searchContacts,
    findContacts,
    ({ query, limit }) => ({ query, limit }),
    (found) => ({
      contacts: fitting(
        found.map(({ phone, widget_id, ...person }) => ({ ...presentToolPerson(person), phone, widget_id })),
      ),
    }),
  ),
];
