/** The REST operations on tags, ours beside the tools view-tags, add-tag and remove-tag (decisions 56, A34, A55). */
import { Type } from "typebox";
import { ids, listOfOne, tag } from "../examples.ts";
import { idOf, nullable, pageQuery, TAG_COLOR_MAX, TAG_NAME_MAX, text } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { listOf, messageAlone, messageAndDataOf, TeamTag } from "../resources.ts";

const name = text(TAG_NAME_MAX, {
  minLength: 1,
  description: "Case-insensitive. Surrounding white space is ignored.",
});

export const listTags = {
  id: "listTags",
  performs: "list-tags",
  method: "GET",
  path: "/tags",
  tag: "Conversations",
  summary: "List tags",
  description: "Your team's tags, sorted by name.",
  query: Type.Object(pageQuery({ default: 20, max: 100 })),
  responses: { 200: { description: "A page of tags.", body: listOf(TeamTag) } },
  errors: [422],
  example: { query: { page: 1, limit: 20 }, response: listOfOne("/tags", tag, 20) },
} as const satisfies RestOperation;

export const addTag = {
  id: "addTag",
  performs: "add-tag",
  method: "POST",
  path: "/conversations/{conversation_id}/tags",
  tag: "Conversations",
  summary: "Tag a conversation",
  description:
    "Adds a tag to a conversation. A new name creates a tag with `color`. An existing tag keeps its spelling and color. If the conversation already has the tag, nothing is recorded.",
  params: Type.Object({ conversation_id: idOf("the conversation") }),
  body: Type.Object({
    name,
    color: Type.Optional(nullable(text(TAG_COLOR_MAX, { description: "Any text, such as `#2f6f5e` or `teal`." }))),
  }),
  responses: { 200: { description: "The tag that was added.", body: messageAndDataOf(TeamTag) } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation },
    body: { name: "shipping", color: "#2f6f5e" },
    response: { message: "Tag added.", data: tag },
  },
} as const satisfies RestOperation;

export const removeTag = {
  id: "removeTag",
  performs: "remove-tag",
  method: "DELETE",
  path: "/conversations/{conversation_id}/tags/{name}",
  tag: "Conversations",
  summary: "Remove a tag from a conversation",
  description:
    "Your team keeps the tag. If the conversation does not have it, the response is 404, so a repeated request returns that too.",
  params: Type.Object({ conversation_id: idOf("the conversation"), name }),
  responses: { 200: { description: "The tag is removed.", body: messageAlone } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation, name: "shipping" },
    response: { message: "Tag removed." },
  },
} as const satisfies RestOperation;
