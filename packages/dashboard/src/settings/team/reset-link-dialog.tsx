import type { Response } from "@frontdesk/core/contract/operation";
import type { sessionOperations, TeamAgent } from "@frontdesk/core/contract/session";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";

type ResetLink = Response<typeof sessionOperations.createPasswordReset>;

/** Asks before a link is created by which a teammate chooses a new password, then shows it once. */
export function ResetLinkDialog({ agent, onClose }: { agent: TeamAgent; onClose(): void }) {
  const name = agent.name ?? agent.email;
  const [created, setCreated] = useState<ResetLink>();
  const form = useForm(async () => {
    setCreated(await askSession("createPasswordReset", { params: { id: agent.id } }));
  });
  if (created) return <CreatedLink name={name} created={created} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={t("team.resetTitle", { name })} text={t("team.resetText", { name })}>
      <form onSubmit={form.send} className="flex flex-col gap-4">
        <FormProblem text={form.problem ?? form.problemOf("agent")} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" look="primary" disabled={form.busy}>
            {t("team.createReset")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function CreatedLink({ name, created, onClose }: { name: string; created: ResetLink; onClose(): void }) {
  const text = t("team.resetLinkText", { name, when: momentOf(created.expires_at) });
  return (
    <Dialog open onClose={onClose} title={t("team.resetLink")} text={text}>
      <CodeToCopy label={t("team.resetLink")} text={created.link} />
    </Dialog>
  );
}
