import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleAlert, KeyRound, type LucideIcon, Pause } from "lucide-react";
import { type ReactNode, useState } from "react";
import { rest } from "../../service/rest.ts";
import { momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { showToast } from "../../ui/toast.ts";
import { attemptInWords } from "./attempt-in-words.ts";
import { resumeWebhook } from "./resume-webhook.ts";
import { latestDeliveryQuery, type OneWebhook, rotationQuery, webhooksChanged } from "./webhooks-query.ts";

const LOOK_AGAIN_MS = 5_000;

/** Notices about a webhook: it is paused, its receiver fails, or a new secret is scheduled. */
export function WebhookNotices({ webhook: { id, is_active } }: { webhook: OneWebhook }) {
  const { data: latest } = useQuery({ ...latestDeliveryQuery(id), refetchInterval: LOOK_AGAIN_MS });
  const { data: takesOverAt } = useQuery(rotationQuery(id));
  const attempt = latest?.attributes.last_attempt;
  const fails = attempt?.outcome === "failed" && latest?.attributes.state !== "sending";
  return (
    <>
      {!is_active && (
        <Notice
          icon={Pause}
          text={t("hooks.pausedNotice")}
          action={<Button onClick={() => resumeWebhook(id)}>{t("hooks.resume")}</Button>}
        />
      )}
      {is_active && latest && fails && (
        <Notice
          icon={CircleAlert}
          text={
            attempt.error === "gone" ? t("hooks.goneNotice") : t("hooks.failedNotice", { why: attemptInWords(attempt) })
          }
          action={
            <Link
              to="."
              search={(before) => ({ ...before, delivery: latest.id })}
              className="shrink-0 font-medium text-accent-text hover:underline"
            >
              {t("details")}
            </Link>
          }
        />
      )}
      {takesOverAt && <Rotation id={id} takesOverAt={takesOverAt} />}
    </>
  );
}

function Rotation({ id, takesOverAt }: { id: string; takesOverAt: string }) {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <Notice
        icon={KeyRound}
        text={t("hooks.rotationNotice", { when: momentOf(takesOverAt) })}
        action={<Button onClick={() => setAsking(true)}>{t("hooks.activate")}</Button>}
      />
      {asking && (
        <ConfirmDialog
          title={t("hooks.activateTitle")}
          text={t("hooks.activateText")}
          action={t("hooks.activate")}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            await rest.activateWebhookSecret({ params: { webhook: id } });
            await webhooksChanged();
            showToast(t("hooks.activated"));
          }}
        />
      )}
    </>
  );
}

function Notice({ icon: Icon, text, action }: { icon: LucideIcon; text: string; action: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-control border border-note-line bg-note px-3 py-2 text-note-ink">
      <Icon size={16} className="shrink-0" aria-hidden="true" />
      <p className="min-w-0 flex-1 basis-48">{text}</p>
      {action}
    </div>
  );
}
