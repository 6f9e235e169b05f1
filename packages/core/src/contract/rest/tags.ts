/** The REST operations on tags, ours beside the tools view-tags, add-tag and remove-tag (decisions 56, A34, A55). */
import { Type } from "typebox";
import { ids, listOfOne, tag } from "../examples.ts";
import { idOf, nullable, pageQuery, TAG_COLOR_MAX, TAG_NAME_MAX, text } from "../fields.ts";
import type { RestOperation } from "../operation.ts";
import { listOf, messageAlone, messageAndDataOf, TeamTag } from "../resources.ts";

const name = text(TAG_NAME_MAX, {
  minLength: 1,
  description: "Letter case and the white space around it do not matter.",
});

export const listTags = {
  id: "listTags",
  performs: "list-tags",
  method: "GET",
  path: "/tags",
  tag: "Conversations",
  summary: "List tags",
  description: "The tags that your team uses, by name.",
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
    "Puts a tag on a conversation. A name that your team does not have yet becomes a new tag, with `color`; one that it has keeps its spelling and its color. A tag that is there already stays, and nothing is recorded.",
  params: Type.Object({ conversation_id: idOf("the conversation") }),
  body: Type.Object({
    name,
    color: Type.Optional(nullable(text(TAG_COLOR_MAX, { description: "Any text, such as `#2f6f5e` or `teal`." }))),
  }),
  responses: { 200: { description: "The tag, on the conversation.", body: messageAndDataOf(TeamTag) } },
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
  summary: "Take a tag off a conversation",
  description: "Your team keeps the tag. One that is not on the conversation answers 404, so a repeat does.",
  params: Type.Object({ conversation_id: idOf("the conversation"), name }),
  responses: { 200: { description: "The tag is off the conversation.", body: messageAlone } },
  errors: [404, 422],
  example: {
    params: { conversation_id: ids.conversation, name: "shipping" },
    response: { message: "Tag removed." },
  },
} as const satisfies RestOperation;
