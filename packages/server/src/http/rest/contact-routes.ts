import { chooseFields, contactFields, type FieldsQuery, rest } from "@frontdesk/core/contract";
import { getContact } from "../../contacts/get-contact.ts";
import { initializeContact, type NewVisitor } from "../../contacts/initialize-contact.ts";
import { listContacts } from "../../contacts/list-contacts.ts";
import { presentContact, presentListedContact } from "../../contacts/present-contact.ts";
import { updateContact } from "../../contacts/update-contact.ts";
import { readPageVisits } from "../visitor/page-visits.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint, type RestRequest } from "./rest-endpoint.ts";

const fieldsOf = (query: FieldsQuery) => chooseFields(contactFields, contactFields, query);

export const contactRoutes = [
  endpoint(
    rest.listContacts,
    listContacts,
    ({ query }) => ({
      ...pageOf(query),
      search: query.search,
      withPageVisits: fieldsOf(query).includes("page_visited"),
    }),
    (listed, { url, query }) => {
      const fields = fieldsOf(query);
      return listBody(url, pageOf(query), listed, (whole) => presentListedContact(whole, fields));
    },
  ),
  endpoint(
    rest.getContact,
    getContact,
    ({ params }) => ({ contactId: params.id }),
    (whole) => ({ data: presentContact(whole) }),
  ),
  endpoint(
    rest.updateContact,
    updateContact,
    ({ params, body }) => ({ contactId: params.id, change: body }),
    (whole) => ({ message: "Contact updated.", data: presentContact(whole) }),
  ),
  endpoint(rest.initializeContact, initializeContact, newVisitor, (whole) => ({
    message: "Contact initialized.",
    data: presentContact(whole),
  })),
];

function newVisitor({ body }: RestRequest<typeof rest.initializeContact>): NewVisitor {
  const { widgetId, message, page_visited: pages = [], ...rest } = body;
  const { marketplace_channel, marketplace_origin, preferred_chat_language, is_simulator, is_form_auto_submitted } =
    rest;
  const urls = message?.urls ?? [];
  const content = message?.content ?? "";
  return {
    widgetId,
    details: {
      ...rest,
      intake: {
        marketplace_channel,
        marketplace_origin,
        preferred_chat_language,
        is_simulator,
        is_form_auto_submitted,
      },
    },
    pageVisits: readPageVisits(pages),
    message: content || urls.length > 0 ? { content, attachments: urls.map((url) => ({ url })) } : undefined,
  };
}
