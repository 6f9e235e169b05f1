import type { LiveConversation, LiveMessage } from "@frontdesk/core/contract/live";
import { Forward, MessageSquarePlus } from "lucide-react";
import { Suspense, useCallback, useEffect, useMemo, useState } from "react";
import { theInbox } from "../inbox/live-inbox.ts";
import { type Command, useCommands } from "../shell/commands.ts";
import { t } from "../texts/texts.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { conversationKeys } from "./conversation-keys.ts";
import { canForward, openForward, useOpenedForward } from "./opened-forward.ts";
import { openMessageMenu, useOpenedMessageMenu } from "./opened-message-menu.ts";

const MessageMenu = lazyPart(() => import("./message-menu.tsx"), "MessageMenu", "copilot");
const ForwardMail = lazyPart(() => import("./forward-mail.tsx"), "ForwardMail", "mail");
const SaveReply = lazyPart(() => import("./save-reply.tsx"), "SaveReply");

/** The actions of a message: its menu, and the dialogs that the menu and the palette open. */
export function MessageActions({
  conversation,
  holdSeconds,
  onRedact,
}: {
  conversation: LiveConversation;
  /** How long an email can be undone. */
  holdSeconds: number;
  /** Left out for agents who may not. */
  onRedact?: ((messageId: string) => void) | undefined;
}) {
  const opened = useOpenedMessageMenu();
  const [saving, setSaving] = useState<LiveMessage>();
  const { id, channel } = conversation;
  const forwarded = useOpenedForward(id);
  const forward = useCallback((message: LiveMessage) => openForward({ conversationId: id, message }), [id]);
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
      ...(channel === "email"
        ? [
            {
              id: "forward",
              label: t(conversationKeys.forward.label),
              group: t("keys.conversation"),
              keys: conversationKeys.forward.keys,
              icon: <Forward size={14} />,
              run: () => {
                const last = messagesIn(id)?.findLast(canForward);
                if (last) forward(last);
              },
            },
          ]
        : []),
    ],
    [id, channel, forward],
  );
  useCommands(commands);
  return (
    <Suspense>
      {opened && (
        <MessageMenu
          {...opened}
          onSave={() => setSaving(opened.message)}
          onForward={() => forward(opened.message)}
          onRedact={onRedact && (() => onRedact(opened.message.id))}
          onClose={() => openMessageMenu(undefined)}
        />
      )}
      {forwarded && (
        <ForwardMail
          key={forwarded.message.id}
          {...forwarded}
          holdSeconds={holdSeconds}
          onClose={() => openForward(undefined)}
        />
      )}
      {saving && <SaveReply message={saving} conversation={conversation} onClose={() => setSaving(undefined)} />}
    </Suspense>
  );
}

const messagesIn = (conversationId: string): readonly LiveMessage[] | undefined =>
  theInbox().getState().threads.get(conversationId)?.messages;

const lastReplyIn = (conversationId: string): LiveMessage | undefined =>
  messagesIn(conversationId)?.findLast(
    ({ type, from, content }) => type === "message" && from === "agent" && content !== "",
  );
