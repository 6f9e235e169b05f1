import { Menu as Base } from "@base-ui/react/menu";
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { Copy, Download, Forward, Languages, MessageSquarePlus, Trash2 } from "lucide-react";
import { useMe } from "../service/me.ts";
import { t } from "../texts/texts.ts";
import { MENU_LOOK, MenuItem } from "../ui/menu.tsx";
import { showProblem, showToast } from "../ui/toast.ts";
import { downloadOriginal } from "./download-original.ts";
import { canForward } from "./opened-forward.ts";
import { hideTranslation, isTranslated, translateMessage } from "./translations.ts";

/** The menu of a message, at its button. */
export function MessageMenu({
  message,
  button,
  onSave,
  onForward,
  onRedact,
  onClose,
}: {
  message: LiveMessage;
  button: HTMLElement;
  /** Saves the message's text as a canned reply. */
  onSave(): void;
  /** Sends the email on to an outside address. */
  onForward(): void;
  /** Left out for agents who may not. */
  onRedact?: (() => void) | undefined;
  onClose(): void;
}) {
  const { copilot } = useMe();
  const copy = () =>
    navigator.clipboard.writeText(message.content).then(
      () => showToast(t("copied")),
      () => showProblem(t("copyFailed")),
    );
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal container={document.querySelector("main")}>
        <Base.Positioner anchor={button} align="start" sideOffset={4} className="z-50">
          <Base.Popup finalFocus={() => button} aria-label={t("more")} className={MENU_LOOK}>
            {message.content && (
              <MenuItem icon={<Copy size={14} />} onSelect={copy}>
                {t("copy")}
              </MenuItem>
            )}
            {/* The menu returns the focus first, so that the dialog knows where to return it. */}
            {message.content && message.type === "message" && message.from === "agent" && (
              <MenuItem icon={<MessageSquarePlus size={14} />} onSelect={() => setTimeout(onSave)}>
                {t("canned.saveThis")}
              </MenuItem>
            )}
            {copilot && message.content && (
              <MenuItem
                icon={<Languages size={14} />}
                onSelect={() => (isTranslated(message.id) ? hideTranslation(message.id) : translateMessage(message))}
              >
                {t(isTranslated(message.id) ? "copilot.hideTranslation" : "copilot.translate")}
              </MenuItem>
            )}
            {canForward(message) && (
              <MenuItem icon={<Forward size={14} />} onSelect={() => setTimeout(onForward)}>
                {t("forward.email")}
              </MenuItem>
            )}
            {message.mail && (
              <MenuItem icon={<Download size={14} />} onSelect={() => downloadOriginal(message.id)}>
                {t("email.download")}
              </MenuItem>
            )}
            {onRedact && !message.is_redacted && (
              <MenuItem icon={<Trash2 size={14} />} danger onSelect={onRedact}>
                {t("erase.message")}
              </MenuItem>
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
