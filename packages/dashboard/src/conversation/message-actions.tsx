import type { LiveConversation, LiveMessage } from "@frontdesk/core/contract/live";
import { MessageSquarePlus } from "lucide-react";
import { Suspense, useEffect, useMemo, useState } from "react";
import { theInbox } from "../inbox/live-inbox.ts";
import { type Command, useCommands } from "../shell/commands.ts";
import { t } from "../texts/texts.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { openMessageMenu, useOpenedMessageMenu } from "./opened-message-menu.ts";

const MessageMenu = lazyPart(() => import("./message-menu.tsx"), "MessageMenu");
const SaveReply = lazyPart(() => import("./save-reply.tsx"), "SaveReply");

/** The actions of a message: its menu, and the dialog that the menu and the palette open. */
export function MessageActions({
  conversation,
  onRedact,
}: {
  conversation: LiveConversation;
  /** Left out for agents who may not. */
  onRedact?: ((messageId: string) => void) | undefined;
}) {
  const opened = useOpenedMessageMenu();
  const [saving, setSaving] = useState<LiveMessage>();
  const { id } = conversation;
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
  return (
    <Suspense>
      {opened && (
        <MessageMenu
          {...opened}
          onSave={() => setSaving(opened.message)}
          onRedact={onRedact && (() => onRedact(opened.message.id))}
          onClose={() => openMessageMenu(undefined)}
        />
      )}
      {saving && <SaveReply message={saving} conversation={conversation} onClose={() => setSaving(undefined)} />}
    </Suspense>
  );
}

function lastReplyIn(conversationId: string): LiveMessage | undefined {
  return theInbox()
    .getState()
    .threads.get(conversationId)
    ?.messages.findLast(({ type, from, content }) => type === "message" && from === "agent" && content !== "");
}
