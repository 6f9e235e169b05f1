import type { WebhookDeliveryLog } from "@frontdesk/core/contract/resources";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { rest } from "../../service/rest.ts";
import { ago, momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem } from "../../ui/form.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showProblem, showToast } from "../../ui/toast.ts";
import { AttemptDetails } from "./attempt-details.tsx";
import { Code } from "./code.tsx";
import { DeliveryBadge } from "./delivery-badge.tsx";
import { isOnItsWay, type OneWebhook, webhooksChanged } from "./webhooks-query.ts";

const LOOK_AGAIN_MS = 1_500;

/** One delivery: the payload, each attempt with its response, and a replay. */
export function DeliveryDialog({ webhook, id }: { webhook: OneWebhook; id: string }) {
  const params = { webhook: webhook.id, delivery: id };
  const navigate = useNavigate({ from: "/settings/$part/$item" });
  const [busy, setBusy] = useState(false);
  const { data: delivery, error } = useQuery({
    queryKey: ["webhooks", webhook.id, "delivery", id],
    queryFn: () => rest.getWebhookDelivery({ params }).then(({ data }) => data),
    refetchInterval: ({ state: { data } }) => (data && isOnItsWay(data) ? LOOK_AGAIN_MS : false),
  });
  const close = () => navigate({ to: ".", search: ({ delivery: _, ...others }) => others, replace: true });
  const replay = async () => {
    setBusy(true);
    try {
      await rest.replayWebhookDelivery({ params });
      await webhooksChanged();
      showToast(t("hooks.replayed", { count: 1 }));
    } catch (problem) {
      showProblem(problemText(problem));
    }
    setBusy(false);
  };
  return (
    <Dialog
      open
      onClose={close}
      width="huge"
      title={delivery?.attributes.event ?? t("hooks.delivery")}
      text={delivery && <Summary delivery={delivery} />}
      footer={
        <>
          {!webhook.is_active && <p className="me-auto self-center text-muted">{t("hooks.replayPaused")}</p>}
          <Button disabled={busy || !webhook.is_active || !delivery || isOnItsWay(delivery)} onClick={replay}>
            <RotateCcw size={14} aria-hidden="true" />
            {t("hooks.replay")}
          </Button>
        </>
      }
    >
      {!delivery && !error && <SkeletonRows rows={4} height={60} />}
      {!delivery && <FormProblem text={error ? problemText(error) : undefined} />}
      {delivery && <Attempts delivery={delivery} />}
    </Dialog>
  );
}

function Summary({ delivery: { id, attributes } }: { delivery: WebhookDeliveryLog }) {
  const { state, created_at, next_attempt_at } = attributes;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1" aria-live="polite">
      <DeliveryBadge state={state} />
      <span>{momentOf(created_at)}</span>
      {next_attempt_at && <span>{t("hooks.nextTry", { when: ago(next_attempt_at) })}</span>}
      <code dir="ltr" className="break-all font-mono text-meta text-subtle">
        {id}
      </code>
    </span>
  );
}

function Attempts({ delivery: { attributes } }: { delivery: WebhookDeliveryLog }) {
  const { attempts, max_attempts } = attributes;
  const latest = attempts.at(-1);
  if (!latest) return <p className="py-8 text-center text-muted">{t("hooks.noAttempts")}</p>;
  return (
    <div className="flex flex-col gap-6">
      <section aria-label={t("hooks.attempts")} className="flex flex-col gap-2">
        {attempts.toReversed().map((attempt) => (
          <AttemptDetails key={attempt.id} attempt={attempt} of={max_attempts} open={attempt === latest} />
        ))}
      </section>
      <SentBody body={latest.request.body} />
    </div>
  );
}

/** The same in every attempt. Copied exactly as sent, byte for byte. */
function SentBody({ body }: { body: string }) {
  const [laidOut, setLaidOut] = useState(true);
  return (
    <section>
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h3 className="flex-1 font-medium">{t("hooks.requestBody")}</h3>
        <Switch label={t("hooks.laidOut")} checked={laidOut} onChange={setLaidOut} />
        <CopyButton text={body} />
      </div>
      <Code label={t("hooks.requestBody")} text={laidOut ? JSON.stringify(JSON.parse(body), null, 2) : body} />
    </section>
  );
}
