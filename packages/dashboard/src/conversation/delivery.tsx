/** How far messages have got that are sent outside: at each of them, and for screen readers when something is wrong. */
import type { LiveMessage } from "@frontdesk/core/contract/live";
import type { LiveDelivery } from "@frontdesk/core/contract/live-mail";
import type { MessageDeliveryState } from "@frontdesk/core/domain/message-delivery";
import { ChevronDown } from "lucide-react";
import { useContext, useEffect, useId, useRef, useState } from "react";
import { rest } from "../service/rest.ts";
import { momentOf } from "../texts/dates.ts";
import { deliveryReason } from "../texts/delivery-reasons.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";
import { HoldPosition } from "./hold-position.ts";

/** The state of a message, with that of each recipient on demand. What has failed, or may have, can be sent again. */
export function Delivery({ id, delivery }: { id: string; delivery: LiveDelivery }) {
  const [open, setOpen] = useState(false);
  const holdPosition = useContext(HoldPosition);
  const detailsId = useId();
  const { state, recipients, at } = delivery;
  const text = stateText(delivery);
  return (
    <div className="flex max-w-full flex-col items-end pe-8 text-label text-subtle">
      <div className="flex max-w-full items-center gap-2 pt-1">
        {recipients.length > 0 ? (
          <button
            type="button"
            aria-expanded={open}
            aria-controls={detailsId}
            title={t("delivery.details")}
            onClick={() => {
              holdPosition();
              setOpen(!open);
            }}
            className={cx(
              "flex min-h-6 min-w-0 items-center gap-1 rounded-control px-1 text-end hover:bg-hover pointer-coarse:min-h-11",
              toneOf(delivery),
            )}
          >
            <span className="wrap-anywhere min-w-0">{text}</span>
            <ChevronDown size={12} aria-hidden="true" className={cx("shrink-0", open && "rotate-180")} />
          </button>
        ) : (
          <span className={cx("wrap-anywhere min-w-0", toneOf(delivery))}>{text}</span>
        )}
        {isWrong(state) && <SendAgain id={id} />}
      </div>
      {recipients.length > 0 && (
        <div id={detailsId} hidden={!open} className="max-w-full pt-1">
          <ul aria-label={t("delivery.recipients")} className="flex flex-col gap-1">
            {recipients.map((recipient) => (
              <li key={recipient.address} className="wrap-anywhere text-end">
                <bdi className="text-ink">{recipient.address}</bdi>{" "}
                <span className={cx(isWrong(recipient.state) && "text-danger")}>{recipientText(recipient)}</span>
              </li>
            ))}
          </ul>
          <p className="numbers pt-1 text-end">{t("delivery.changed", { when: momentOf(at) })}</p>
        </div>
      )}
    </div>
  );
}

function SendAgain({ id }: { id: string }) {
  const [busy, setBusy] = useState(false);
  const sendAgain = () => {
    setBusy(true);
    // The stream says how it goes on.
    rest
      .sendMessageAgain({ params: { id } })
      .catch((error) => showProblem(problemText(error)))
      .finally(() => setBusy(false));
  };
  return (
    <Button size="compact" disabled={busy} onClick={sendAgain}>
      {t("delivery.again")}
    </Button>
  );
}

const isWrong = (state: MessageDeliveryState): boolean => state === "failed" || state === "unknown";

function toneOf({ state, is_delayed }: LiveDelivery): string | undefined {
  if (isWrong(state)) return "text-danger";
  return is_delayed ? "text-warning" : undefined;
}

type Said = Pick<LiveDelivery, "state" | "is_delayed" | "reason" | "named_reason"> &
  Partial<Pick<LiveDelivery, "due_at">>;

function stateText({ state, is_delayed, due_at = null, ...said }: Said): string {
  if (due_at !== null) return t("delivery.due", { when: momentOf(due_at) });
  const reason = deliveryReason(said);
  if (is_delayed) return t("delivery.delayed");
  switch (state) {
    case "queued":
    case "sending":
      return t("sending");
    case "failed":
      return reason ? t("notSent", { why: reason }) : t("delivery.failed");
    case "unknown":
      return t("delivery.unknown");
    case "sent":
      return t("sent");
    case "delivered":
      return t("delivery.delivered");
    case "read":
      return t("seen");
    default:
      return state satisfies never;
  }
}

/** With what is wrong, often the words of a mail server. */
function recipientText({ state, ...said }: LiveDelivery["recipients"][number]): string {
  const reason = deliveryReason(said);
  const waits = state === "queued" || state === "sending";
  const text = stateText({ state, is_delayed: reason !== null && (waits || state === "sent"), reason: null });
  return reason ? `${text}: ${reason}` : text;
}

/** Says to screen readers that a message was not sent, or may not have arrived, when that happens. */
export function DeliveryAnnouncer({ id, messages }: { id: string; messages: readonly LiveMessage[] }) {
  const [said, setSaid] = useState<{ key: string; text: string }>();
  /** The states so far: those when the conversation was opened are history, and so are those of older messages that are loaded. */
  const known = useRef<{ id: string; states: ReadonlyMap<string, MessageDeliveryState>; newest: number }>(undefined);
  useEffect(() => {
    const before = known.current?.id === id ? known.current : undefined;
    const sent = messages.flatMap(({ delivery, ...message }) => (delivery ? [{ ...message, delivery }] : []));
    const states = new Map(sent.map((message) => [message.id, message.delivery.state]));
    known.current = { id, states, newest: Math.max(0, ...messages.map(({ sort_number }) => sort_number)) };
    if (!before) return;
    const wrong = sent.find(({ id: messageId, sort_number, delivery: { state } }) => {
      const was = before.states.get(messageId);
      // It may have failed before its first state was seen.
      const isNew = was === undefined ? sort_number > before.newest : was !== state;
      return isNew && isWrong(state);
    });
    if (wrong) setSaid({ key: `${wrong.id} ${wrong.delivery.at}`, text: stateText(wrong.delivery) });
  }, [id, messages]);
  return (
    <div aria-live="polite" className="sr-only">
      {said && <p key={said.key}>{t("delivery.announced", { state: said.text })}</p>}
    </div>
  );
}
