import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { ArrowLeft, CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { t } from "../../texts/texts.ts";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { ReceiverCode, testCommand } from "./receiver-code.tsx";
import { WebhookActions } from "./webhook-actions.tsx";
import { WebhookBadge } from "./webhook-badge.tsx";
import { eventsInWords } from "./webhook-events.ts";
import { WebhookNotices } from "./webhook-notices.tsx";
import { webhookQuery } from "./webhooks-query.ts";

/** One webhook: its state, its deliveries, and what its receiver needs. */
export function WebhookPart({ id }: { id: string }) {
  const { data: webhook, error } = useQuery(webhookQuery(id));
  const { delivery } = useSearch({ from: "/signed-in/settings/$part/$item" });
  return (
    <>
      <Link
        to="/settings/$part"
        params={{ part: "webhooks" }}
        className="mb-4 inline-flex items-center gap-1.5 text-muted hover:text-ink pointer-coarse:min-h-11"
      >
        <ArrowLeft size={14} className="rtl:rotate-180" aria-hidden="true" />
        {t("hooks.title")}
      </Link>
      {!webhook && error && <EmptyState icon={CircleAlert} title={t("trouble.title")} text={problemText(error)} />}
      {!webhook && !error && <SkeletonRows rows={5} height={60} />}
      {webhook && (
        <>
          <section className="mb-6 flex flex-col gap-4">
            <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
              <div className="min-w-0 flex-1 basis-64">
                <div className="flex items-center gap-2">
                  <Heading text={webhook.name} />
                  <WebhookBadge active={webhook.is_active} />
                </div>
                <p dir="ltr" className="aligned break-all font-mono text-meta text-muted">
                  {webhook.endpoint_url}
                </p>
              </div>
              <WebhookActions webhook={webhook} />
            </div>
            <WebhookNotices webhook={webhook} />
            <Events events={webhook.events} />
          </section>
          <DeliveryLog webhook={webhook} />
          <Section title={t("hooks.receiver")}>
            <div className="flex flex-col gap-6">
              <ReceiverCode />
              <div>
                <p className="mb-2 font-medium">{t("hooks.testByCurl")}</p>
                <CodeToCopy label={t("hooks.testByCurl")} text={testCommand(id)} look="plain" />
              </div>
            </div>
          </Section>
          {delivery && <DeliveryDialog key={delivery} webhook={webhook} id={delivery} />}
        </>
      )}
    </>
  );
}

function Events({ events }: { events: readonly string[] }) {
  const words = eventsInWords(events);
  if (events.length === 1) return <p className="text-muted">{words}</p>;
  return (
    <details className="text-muted">
      <summary className="w-fit cursor-default py-1 hover:text-ink">{words}</summary>
      <ul dir="ltr" className="aligned mt-1 flex flex-wrap gap-x-4 gap-y-1 font-mono text-meta">
        {events.map((event) => (
          <li key={event}>{event}</li>
        ))}
      </ul>
    </details>
  );
}

/** The link that led here is gone: focus the heading. */
function Heading({ text }: { text: string }) {
  const place = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  }, []);
  return (
    <h2 ref={place} tabIndex={-1} dir="auto" className="min-w-0 truncate font-semibold text-message outline-none">
      {text}
    </h2>
  );
}
