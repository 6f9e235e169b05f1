import type { LiveConversation, LiveMessage } from "@frontdesk/core/contract/live";
import { useMe } from "../service/me.ts";
import { CannedReplyDialog } from "../settings/canned-replies/canned-reply-dialog.tsx";
import { t } from "../texts/texts.ts";
import { showToast } from "../ui/toast.ts";
import { withPlaceholders } from "./fill-canned-reply.ts";

/** How many words of a reply form the suggested name of its canned reply. */
const NAME_WORDS = 3;
const SHORT_WORD = 3;
const NAME_LENGTH = 40;

/** Saves the text of a message as a canned reply. */
export function SaveReply({
  message,
  conversation: { contact },
  onClose,
}: {
  message: LiveMessage;
  conversation: LiveConversation;
  onClose(): void;
}) {
  const { agent, team } = useMe();
  const template = withPlaceholders(message.content, { contact, agent: agent.name, team: team.name });
  return (
    <CannedReplyDialog
      begin={{ name: nameFor(template), content: template }}
      onClose={onClose}
      onSaved={(name) => showToast(t("canned.saved", { name }))}
    />
  );
}

/** The first longer words: short ones such as "Hi" say little. */
function nameFor(content: string): string {
  const words =
    content
      .replace(/\{\{[^{}]*\}\}/g, " ")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => word.length > SHORT_WORD);
  return (telling.length > 0 ? telling : words).slice(0, NAME_WORDS).join("-").slice(0, NAME_LENGTH);
}
