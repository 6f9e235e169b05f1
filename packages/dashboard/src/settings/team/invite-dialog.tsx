import type { Response } from "@frontdesk/core/contract/operation";
import type { sessionOperations } from "@frontdesk/core/contract/session";
import { invitableRoles } from "@frontdesk/core/domain/agent";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { useMe } from "../../service/me.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";

export type Invitation = Response<typeof sessionOperations.renewInvitation>;

/** Invites a teammate, and ends with the link: without mail it is the only way to them. */
export function InviteDialog({ onInvited, onClose }: { onInvited(): unknown; onClose(): void }) {
  const { sends_mail } = useMe();
  const [invitation, setInvitation] = useState<Invitation>();
  const unsaved = useUnsaved();
  const form = useForm(async ({ email = "", name = "", role = "CHAT_AGENT_MEMBER" }) => {
    const agent = { email: email.trim(), role: role as "CHAT_AGENT_MEMBER", ...(name.trim() && { name: name.trim() }) };
    const { invitations } = await unsaved.saving(askSession("inviteAgents", { body: { agents: [agent] } }));
    await onInvited();
    setInvitation(invitations[0]);
  });
  if (invitation) return <InvitationLink invitation={invitation} isNew onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={() => unsaved.leave(onClose)}
      title={t("team.invite")}
      text={sends_mail ? t("team.inviteText") : t("team.inviteTextWithoutMail")}
    >
      <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("email")} problem={form.problemOf("agents.0.email")}>
          <TextInput name="email" type="email" required autoFocus />
        </Field>
        <Field label={t("name")} problem={form.problemOf("agents.0.name")}>
          <TextInput name="name" />
        </Field>
        <Field label={t("team.role")} problem={form.problemOf("agents.0.role")}>
          <Select name="role" defaultValue="CHAT_AGENT_MEMBER">
            {invitableRoles.toReversed().map((role) => (
              <option key={role} value={role}>
                {t(`role.${role}`)}
              </option>
            ))}
          </Select>
        </Field>
        <FormProblem text={form.problem} />
        <UnsavedMark unsaved={unsaved} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {sends_mail ? t("team.send") : t("team.createLink")}
        </Button>
        {unsaved.question}
      </form>
    </Dialog>
  );
}

/** The link of an invitation, and whether it is mailed or to be sent by the agent. */
export function InvitationLink({
  invitation: { agent, link, mailed },
  isNew,
  onClose,
}: {
  invitation: Invitation;
  /** Whether the agent was just invited, and has no earlier link. */
  isNew?: boolean;
  onClose(): void;
}) {
  const { email } = agent;
  const name = agent.name ?? email;
  return (
    <Dialog
      open
      onClose={onClose}
      title={isNew ? t("team.invitedNow", { email }) : t("team.link")}
      text={mailed ? t("team.linkMailed", { name }) : t("team.linkNotMailed", { name })}
    >
      <CodeToCopy label={t("team.link")} text={link} />
      <p className="mt-3 text-meta text-muted">{t("team.linkText")}</p>
    </Dialog>
  );
}
