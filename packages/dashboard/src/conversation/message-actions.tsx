import type { LiveConversation, LiveMessage } from "@frontdesk/core/contract/live";
import { MessageSquarePlus } from "lucide-react";
import { lazy, Suspense, useEffect, useMemo, useState } from "react";
import { theInbox } from "../inbox/live-inbox.ts";
import { useMe } from "../service/me.ts";
import { type Command, useCommands } from "../shell/commands.ts";
import { t } from "../texts/texts.ts";
import { showToast } from "../ui/toast.ts";
import { withPlaceholders } from "./fill-canned-reply.ts";
import { openMessageMenu, useOpenedMessageMenu } from "./opened-message-menu.ts";

const MessageMenu = lazy(() => import("./message-menu.tsx").then(({ MessageMenu }) => ({ default: MessageMenu })));
const CannedReplyDialog = lazy(() =>
  import("../settings/canned-replies/canned-reply-dialog.tsx").then(({ CannedReplyDialog }) => ({
    default: CannedReplyDialog,
  })),
);

/** How many words of a reply form the suggested name of its canned reply. */
const NAME_WORDS = 3;
const SHORT_WORD = 3;
const NAME_LENGTH = 40;

/** The actions of a message: its menu, and the dialog that the menu and the palette open. */
export function MessageActions({ conversation }: { conversation: LiveConversation }) {
  const { agent, team } = useMe();
  const opened = useOpenedMessageMenu();
  const [saving, setSaving] = useState<LiveMessage>();
  const { id, contact } = conversation;
  useEffect(() => () => openMessageMenu(undefined), []);
  const commands = useMemo(
    (): Command[] => [
      {
        id: "save-reply",
        label: t("canned.saveLast"),
        group: t("keys.conversation"),
        icon: <MessageSquarePlus size={14} />,
        run: () => setSaving(lastReplyIn(id)),
      },
    ],
    [id],
  );
  useCommands(commands);
  const template = saving ? withPlaceholders(saving.content, { contact, agent: agent.name, team: team.name }) : "";
  return (
    <Suspense>
      {opened && (
        <MessageMenu {...opened} onSave={() => setSaving(opened.message)} onClose={() => openMessageMenu(undefined)} />
      )}
      {saving && (
        <CannedReplyDialog
          begin={{ name: nameFor(template), content: template }}
          onClose={() => setSaving(undefined)}
          onSaved={(name) => showToast(t("canned.saved", { name }))}
        />
      )}
    </Suspense>
  );
}

function lastReplyIn(conversationId: string): LiveMessage | undefined {
  return theInbox()
    .getState()
    .threads.get(conversationId)
    ?.messages.findLast(({ type, from, content }) => type === "message" && from === "agent" && content !== "");
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
