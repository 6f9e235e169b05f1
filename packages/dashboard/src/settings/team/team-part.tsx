import type { TeamAgent } from "@frontdesk/core/contract/session";
import { type AgentRole, agentRoles, reaches } from "@frontdesk/core/domain/agent";
import { useQuery } from "@tanstack/react-query";
import { MoreHorizontal, UserPlus } from "lucide-react";
import { useState } from "react";
import { agentsQuery } from "../../service/agents.ts";
import { askSession } from "../../service/ask-session.ts";
import { useMe } from "../../service/me.ts";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem } from "../../ui/toast.ts";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { AgentQuestion, type Asking, agentChanged } from "./agent-question.tsx";
import { type ReducedAccess, ReducedAccessDialog } from "./reduced-access-dialog.tsx";
import { TeamName } from "./team-name.tsx";

export const roleName = (role: AgentRole): string => t(`role.${role}`);

/** The agents of the team, and their roles. */
export function TeamPart() {
  const { data: agents } = useQuery(agentsQuery);
  const [inviting, setInviting] = useState(false);
  const [link, setLink] = useState<string>();
  const [reduced, setReduced] = useState<ReducedAccess>();
  return (
    <>
      <TeamName />
      <Section
        title={t("settings.people")}
        text={t("team.text")}
        actions={
          <Button look="primary" onClick={() => setInviting(true)}>
            <UserPlus size={14} aria-hidden="true" />
            {t("team.invite")}
          </Button>
        }
      >
        <ul>
          {agents?.map(({ id, attributes }) => (
            <Person
              key={id}
              agent={{
                id,
                email: attributes.email ?? "",
                name: attributes.name,
                role: attributes.role ?? "CHAT_AGENT_MEMBER",
                status: attributes.status ?? "active",
                online_status: attributes.online_status ?? "offline",
                profile_photo_url: attributes.profile_photo_url,
              }}
              onLink={setLink}
              onReduced={setReduced}
            />
          ))}
        </ul>
        {reduced && <ReducedAccessDialog reduced={reduced} onClose={() => setReduced(undefined)} />}
        {inviting && <InviteDialog onClose={() => setInviting(false)} />}
        <Dialog
          open={link !== undefined}
          onClose={() => setLink(undefined)}
          title={t("team.link")}
          text={t("team.linkText")}
        >
          <CodeToCopy label={t("team.link")} text={link ?? ""} />
        </Dialog>
      </Section>
    </>
  );
}

function Person({
  agent,
  onLink,
  onReduced,
}: {
  agent: TeamAgent;
  onLink(link: string): void;
  onReduced(reduced: ReducedAccess): void;
}) {
  const me = useMe().agent;
  const { id, name, email, role, status } = agent;
  const shown = name ?? email;
  const mayManage = id !== me.id && reaches(me.role, role);
  const [asking, setAsking] = useState<Asking>();
  return (
    <li className="flex items-center gap-3 border-line border-t py-2.5 first:border-t-0">
      <Avatar id={id} name={shown} photo={agent.profile_photo_url} online={agent.online_status === "online"} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{shown}</span>
          {status === "invited" && <Badge>{t("team.invited")}</Badge>}
          {status === "deactivated" && <Badge tone="danger">{t("team.deactivated")}</Badge>}
        </p>
        <p className="truncate text-meta text-subtle">{email}</p>
      </div>
      <span className="text-muted max-md:hidden">{roleName(role)}</span>
      {mayManage ? (
        <Menu
          trigger={
            <IconButton label={t("change", { name: shown })}>
              <MoreHorizontal size={16} />
            </IconButton>
          }
        >
          {agentRoles
            .filter((each) => each !== role && reaches(me.role, each))
            .map((each) => (
              <MenuItem key={each} onSelect={() => setTimeout(() => setAsking(each))}>
                {t("team.makeRole", { role: roleName(each) })}
              </MenuItem>
            ))}
          <MenuSeparator />
          {status === "invited" && (
            <MenuItem
              onSelect={() =>
                askSession("renewInvitation", { params: { id } }).then(
                  (answer) => onLink(answer.link),
                  (error) => showProblem(problemText(error)),
                )
              }
            >
              {t("team.newLink")}
            </MenuItem>
          )}
          {status === "deactivated" ? (
            <MenuItem
              onSelect={() =>
                askSession("reactivateAgent", { params: { id } }).then(
                  () => agentChanged(t("team.reactivated", { name: shown })),
                  (error) => showProblem(problemText(error)),
                )
              }
            >
              {t("team.reactivate")}
            </MenuItem>
          ) : (
            <MenuItem
              danger
              onSelect={() => setTimeout(() => setAsking(status === "invited" ? "revoke" : "deactivate"))}
            >
              {status === "invited" ? t("team.revokeInvitation") : t("team.deactivate")}
            </MenuItem>
          )}
        </Menu>
      ) : (
        <span className="size-8" />
      )}
      {asking && (
        <AgentQuestion agent={agent} asking={asking} onReduced={onReduced} onClose={() => setAsking(undefined)} />
      )}
    </li>
  );
}

function InviteDialog({ onClose }: { onClose(): void }) {
  const unsaved = useUnsaved();
  const form = useForm(async ({ email = "", name = "", role = "CHAT_AGENT_MEMBER" }) => {
    const agent = { email: email.trim(), role: role as "CHAT_AGENT_MEMBER", ...(name.trim() && { name: name.trim() }) };
    await unsaved.saving(rest.inviteAgents({ body: { agents: [agent] } }));
    agentChanged(t("team.invitedNow", { email }));
    onClose();
  });
  return (
    <Dialog open onClose={() => unsaved.leave(onClose)} title={t("team.invite")} text={t("team.inviteText")}>
      <form {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <Field label={t("email")} problem={form.problemOf("agents.0.email")}>
          <TextInput name="email" type="email" required autoFocus />
        </Field>
        <Field label={t("name")} problem={form.problemOf("agents.0.name")}>
          <TextInput name="name" />
        </Field>
        <Field label={t("team.role")} problem={form.problemOf("agents.0.role")}>
          <Select name="role" defaultValue="CHAT_AGENT_MEMBER">
            <option value="CHAT_AGENT_MEMBER">{roleName("CHAT_AGENT_MEMBER")}</option>
            <option value="CHAT_AGENT_ADMIN">{roleName("CHAT_AGENT_ADMIN")}</option>
          </Select>
        </Field>
        <FormProblem text={form.problem} />
        <UnsavedMark unsaved={unsaved} />
        <Button type="submit" look="primary" size="large" disabled={form.busy}>
          {t("team.send")}
        </Button>
        {unsaved.question}
      </form>
    </Dialog>
  );
}
