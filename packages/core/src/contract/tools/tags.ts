/** The tools on tags (spec, "Assistant tool interface"; decisions 56, 72). */
import { Type } from "typebox";
import { ids } from "../examples.ts";
import { TAG_COLOR_MAX, TAG_NAME_MAX, text, uuid } from "../fields.ts";
import { CHANGES, DESTROYS, READS, type Tool } from "../tool.ts";
import { exampleToken, tag } from "../tool-examples.ts";
import { CONFIRMATION_SENTENCE, confirmationToken, toolInput } from "../tool-fields.ts";
import { ConfirmationRequired, oneShapeOf, ToolTag } from "../tool-resources.ts";

export const viewTags = {
  name: "view-tags",
  title: "View tags",
  description: "Lists all tags that the team uses, with their colors.",
  permission: "view_tags",
  annotations: READS,
  input: toolInput({}),
  output: Type.Object({ tags: Type.Array(ToolTag) }),
  performs: "list-tags",
  example: { input: {}, output: { tags: [tag] } },
} as const satisfies Tool;

const name = text(TAG_NAME_MAX, { minLength: 1 });

export const addTag = {
  name: "add-tag",
  title: "Add a tag",
  description:
    "Puts a tag on a conversation. A tag that the team does not have yet is created, with the color if one is given; those it has are listed by view-tags.",
  permission: "add_tags",
  annotations: CHANGES,
  input: toolInput({ conversation_id: uuid, name, color: Type.Optional(text(TAG_COLOR_MAX)) }),
  output: Type.Object({ conversation_id: uuid, chat_contact_id: uuid, tag: ToolTag }),
  performs: "add-tag",
  example: {
    input: { conversation_id: ids.conversation, name: tag.name, color: tag.color },
    output: { conversation_id: ids.conversation, chat_contact_id: ids.vera, tag },
  },
} as const satisfies Tool;

export const removeTag = {
  name: "remove-tag",
  title: "Remove a tag",
  description: `Takes a tag off one conversation; the team keeps it for others. ${CONFIRMATION_SENTENCE}`,
  permission: "remove_tags",
  annotations: DESTROYS,
  input: toolInput({ conversation_id: uuid, name, confirmation_token: confirmationToken }),
  output: oneShapeOf(
    ConfirmationRequired,
    Type.Object({ conversation_id: uuid, chat_contact_id: uuid, removed_tag: Type.String() }),
  ),
  confirmed: true,
  performs: "remove-tag",
  example: {
    input: { conversation_id: ids.conversation, name: tag.name, confirmation_token: exampleToken },
    output: { conversation_id: ids.conversation, chat_contact_id: ids.vera, removed_tag: tag.name },
  },
} as const satisfies Tool;
