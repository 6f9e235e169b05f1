import { isEmojiOnly } from "@frontdesk/client/agent";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { AttachmentsOf } from "./attachments-of.tsx";
import { FoldedMessage } from "./folded-message.tsx";
import { HoldState } from "./hold-state.tsx";
import { BubbleBox } from "./message-item.tsx";
import { MessageText } from "./message-text.tsx";
import type { WaitingMessage } from "./thread-items.ts";

/** A message on its way: shown at once, with the reason when it could not be sent. Its text is never lost. */
export function WaitingItem({
  waiting,
  online,
  onRetry,
  onDiscard,
  onUndo,
}: {
  waiting: WaitingMessage;
  online: boolean;
  onRetry(): void;
  onDiscard(): void;
  onUndo(): void;
}) {
  const { client_id, type, content, attachments, problem, overtaken, hold } = waiting;
  const isNote = type === "note";
  return (
    <div className={cx("flex flex-col pt-3", isNote ? "items-stretch" : "items-end ps-12 pe-8")}>
      <div className={cx("flex min-w-0 max-w-[min(100%,40rem)] flex-col gap-1", isNote && "max-w-full")}>
        {content && (
          <BubbleBox
            className={
              isNote
                ? "w-full rounded-menu border border-note-line bg-note text-note-ink"
                : cx(!isEmojiOnly(content) && "rounded-bubble rounded-ee-tag bg-accent-soft")
            }
          >
            <FoldedMessage id={client_id} text={content}>
              <MessageText text={content} />
            </FoldedMessage>
          </BubbleBox>
        )}
        {attachments.length > 0 && <AttachmentsOf attachments={attachments} from="agent" />}
      </div>
      <div
        className="flex items-center justify-end gap-2 pt-1 text-label text-subtle"
        role={problem ? "alert" : undefined}
      >
        {hold ? (
          <HoldState hold={hold} online={online} onUndo={onUndo} />
        ) : problem === null ? (
          <span>{online ? t("sending") : t("sendsLater")}</span>
        ) : (
          <>
            <span className="text-danger">{overtaken ? t("overtaken.title") : t("notSent", { why: problem })}</span>
            <Button size="compact" onClick={onRetry}>
              {overtaken ? t("overtaken.anyway") : t("tryAgain")}
            </Button>
            <Button size="compact" look="quiet" onClick={onDiscard}>
              {t("discard")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
