import { FrontdeskError } from "@frontdesk/client";
import { rest } from "../service/rest.ts";
import { type TextKey, t } from "../texts/texts.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { showToast } from "../ui/toast.ts";
import { HoldDialog } from "./hold-dialog.tsx";
import type { Asked } from "./lazy-erasing.tsx";
import { RemoveAgentDialog } from "./remove-agent-dialog.tsx";
import { TypedConfirmation } from "./typed-confirmation.tsx";

const NOT_FOUND = 404;

export function ErasingDialog({ asked, onDone, onClose }: { asked: Asked; onDone(): void; onClose(): void }) {
  switch (asked.kind) {
    case "contact":
    case "conversation":
      return <EraseDialog {...asked} onDone={onDone} onClose={onClose} />;
    case "agent":
      return <RemoveAgentDialog {...asked} onDone={onDone} onClose={onClose} />;
    case "message":
      return <RedactDialog {...asked} onDone={onDone} onClose={onClose} />;
    case "hold":
      return <HoldDialog {...asked} onDone={onDone} onClose={onClose} />;
    default:
      return asked satisfies never;
  }
}

const eraseTexts = {
  contact: {
    title: "erase.contactTitle",
    text: "erase.contactText",
    action: "erase.contactAction",
    done: "erase.contactDone",
  },
  conversation: {
    title: "erase.conversationTitle",
    text: "erase.conversationText",
    action: "erase.conversationAction",
    done: "erase.conversationDone",
  },
} as const satisfies Record<string, Record<string, TextKey>>;

/** Asks for the name, since it cannot be undone. */
function EraseDialog({
  kind,
  id,
  name,
  onDone,
  onClose,
}: {
  kind: "contact" | "conversation";
  id: string;
  name: string;
  onDone(): void;
  onClose(): void;
}) {
  const texts = eraseTexts[kind];
  return (
    <TypedConfirmation
      title={t(texts.title, { name })}
      text={t(texts.text, { name })}
      name={name}
      action={t(texts.action)}
      onConfirm={async (reason) => {
        const body = { reason };
        await (kind === "contact"
          ? rest.eraseContact({ params: { id }, body })
          : rest.eraseConversation({ params: { conversation_id: id }, body })
        ).catch(unlessGone);
        showToast(t(texts.done));
        onClose();
        onDone();
      }}
      onClose={onClose}
    />
  );
}

function RedactDialog({ id, onDone, onClose }: { id: string; onDone(): void; onClose(): void }) {
  return (
    <ConfirmDialog
      title={t("erase.messageTitle")}
      text={t("erase.messageText")}
      action={t("erase.messageAction")}
      onConfirm={async () => {
        await rest.redactMessage({ params: { id }, body: {} }).catch(unlessGone);
        showToast(t("erased.message"));
        onDone();
      }}
      onClose={onClose}
    />
  );
}

/** Another agent was faster, or the answer to the first attempt was lost. */
function unlessGone(error: unknown): void {
  if (!(error instanceof FrontdeskError && error.status === NOT_FOUND)) throw error;
}
