import { rest } from "@frontdesk/core/contract";
import { pageOfRows } from "../../list.ts";
import { addTag } from "../../tags/add-tag.ts";
import { listTags } from "../../tags/list-tags.ts";
import { presentTag } from "../../tags/present-tag.ts";
import { removeTag } from "../../tags/remove-tag.ts";
import { listBody, pageOf } from "./list-body.ts";
import { endpoint } from "./rest-endpoint.ts";

export const tagRoutes = [
  endpoint(
    rest.listTags,
    listTags,
    () => ({}),
    (tags, { url, query }) => listBody(url, pageOf(query), pageOfRows(pageOf(query), tags), presentTag),
  ),
  endpoint(
    rest.addTag,
    addTag,
    ({ params, body }) => ({ conversationId: params.conversation_id, name: body.name, color: body.color }),
    ({ tag }) => ({ message: "Tag added.", data: presentTag(tag) }),
  ),
  endpoint(
    rest.removeTag,
    removeTag,
    ({ params }) => ({ conversationId: params.conversation_id, name: params.name }),
    () => ({ message: "Tag removed." }),
  ),
];
