import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { Plus, Webhook } from "lucide-react";
import { useState } from "react";
import { ago } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { DeliveryBadge } from "./delivery-badge.tsx";
import { ReceiverCode } from "./receiver-code.tsx";
import { WebhookBadge } from "./webhook-badge.tsx";
import { eventsInWords } from "./webhook-events.ts";
import { WebhookForm } from "./webhook-form.tsx";
import { latestDeliveryQuery, type OneWebhook, webhooksQuery } from "./webhooks-query.ts";

/** The webhook subscriptions: which events go to which URL. */
export function WebhooksPart() {
  const found = useQuery(webhooksQuery);
  const [adding, setAdding] = useState(false);
  const [made, setMade] = useState<{ id: string; secret: string }>();
  const navigate = useNavigate();
  const add = (
    <Button look="primary" onClick={() => setAdding(true)}>
      <Plus size={14} aria-hidden="true" />
      {t("hooks.add")}
    </Button>
  );
  return (
    <Section title={t("hooks.title")} text={t("hooks.text")} actions={add}>
      {found.isPending && <SkeletonRows rows={3} height={60} />}
      {found.isError && (
        <EmptyState icon={Webhook} title={t("trouble.title")} text={problemText(found.error)}>
          <Button onClick={() => found.refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {found.data?.length === 0 && <EmptyState icon={Webhook} title={t("hooks.none")} text={t("hooks.noneText")} />}
      <ul>
        {found.data?.map((webhook) => (
          <Row key={webhook.id} webhook={webhook} />
        ))}
      </ul>
      {adding && (
        <WebhookForm
          onClose={() => setAdding(false)}
          onMade={(id, secret) => {
            setAdding(false);
            setMade({ id, secret });
          }}
        />
      )}
      <SecretDialog
        open={made !== undefined}
        title={t("hooks.secretTitle")}
        text={t("hooks.secretText")}
        label={t("hooks.secret")}
        value={made?.secret ?? ""}
        onClose={() => {
          setMade(undefined);
          void navigate({ to: "/settings/$part/$item", params: { part: "webhooks", item: made?.id ?? "" } });
        }}
      >
        <ReceiverCode />
      </SecretDialog>
    </Section>
  );
}

function Row({ webhook: { id, name, endpoint_url, is_active, events } }: { webhook: OneWebhook }) {
  const { data: latest } = useQuery(latestDeliveryQuery(id));
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-t py-3 first:border-t-0 hover:bg-hover md:px-2">
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <Link
            to="/settings/$part/$item"
            params={{ part: "webhooks", item: id }}
            dir="auto"
            className="-outline-offset-2 min-w-0 truncate font-medium after:absolute after:inset-0"
          >
            {name}
          </Link>
          <WebhookBadge active={is_active} />
        </p>
        <p dir="ltr" className="aligned truncate font-mono text-meta text-muted">
          {endpoint_url}
        </p>
      </div>
      <p className="flex shrink-0 flex-col items-end gap-0.5 text-meta text-subtle max-md:w-full max-md:flex-row max-md:items-center max-md:gap-2">
        <span>{eventsInWords(events)}</span>
        {latest && (
          <span className="flex items-center gap-1.5">
            <DeliveryBadge state={latest.attributes.state} />
            {ago(latest.attributes.created_at)}
          </span>
        )}
      </p>
    </li>
  );
}
