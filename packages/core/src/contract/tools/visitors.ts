/** The tools on visitors, which REST calls contacts: the ids are the same (spec, "What the service does"). */
import { Type } from "typebox";
import { ids } from "../examples.ts";
import { uuid } from "../fields.ts";
import { READS, type Tool } from "../tool.ts";
import { vera, visitor } from "../tool-examples.ts";
import { searchInput, toolInput } from "../tool-fields.ts";
import { FoundContact, ToolVisitor } from "../tool-resources.ts";

export const getVisitor = {
  name: "get-visitor",
  title: "Get a visitor",
  description:
    "Returns one visitor with e-mail, phone, country, language and time zone. The visitor_id is the contact's id in a conversation; search-contacts finds it by a name, e-mail or phone.",
  permission: "read_visitor_details",
  annotations: READS,
  input: toolInput({ visitor_id: uuid }),
  output: Type.Object({ visitor: ToolVisitor }),
  performs: "get-contact",
  example: { input: { visitor_id: ids.vera }, output: { visitor } },
} as const satisfies Tool;

export const searchContacts = {
  name: "search-contacts",
  title: "Search contacts",
  description:
    "Finds contacts by a part of their name, e-mail or phone, last activity first, up to 50. A contact's id is the visitor_id of get-visitor.",
  permission: "search_contacts",
  annotations: READS,
  input: searchInput,
  output: Type.Object({ contacts: Type.Array(FoundContact) }),
  performs: "find-contacts",
  example: {
    input: { query: "vera" },
    output: { contacts: [{ ...vera, phone: visitor.phone, widget_id: visitor.widget_id }] },
  },
} as const satisfies Tool;
