import type { ToolTag } from "@frontdesk/core/contract/tool-resources";
import { addTag, removeTag, viewTags } from "@frontdesk/core/contract/tools/tags";
import { planTagRemoval } from "../assistants/plans.ts";
import { addTag as addOperation } from "../tags/add-tag.ts";
import { listTags } from "../tags/list-tags.ts";
import { removeTag as removeOperation } from "../tags/remove-tag.ts";
import { fitting } from "./fitting.ts";
import { serve, serveConfirmed } from "./served-tool.ts";

export const tagTools = [
  serve(
    viewTags,
    listTags,
    () => ({}),
    (tags) => ({ tags: fitting(tags.map(presentTag)) }),
  ),
  serve(
    addTag,
    addOperation,
    ({ conversation_id, name, color }) => ({ conversationId: conversation_id, name, color }),
    ({ tag, conversation }) => ({
      conversation_id: conversation.id,
      chat_contact_id: conversation.contact_id,
      tag: presentTag(tag),
    }),
  ),
  serveConfirmed(
    removeTag,
    removeOperation,
    planTagRemoval,
    ({ conversation_id, name }) => ({ conversationId: conversation_id, name }),
    ({ tag, conversation }) => ({
      conversation_id: conversation.id,
      chat_contact_id: conversation.contact_id,
      removed_tag: tag.name,
    }),
  ),
];

function presentTag({ id, name, color }: ToolTag): ToolTag {
  return { id, name, color };
}
