import type { TeamAgent } from "@frontdesk/core/contract/session";
import { type AgentRole, agentRoles, reaches } from "@frontdesk/core/domain/agent";
import { useQuery } from "@tanstack/react-query";
import { MoreHorizontal, UserPlus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { usePeople } from "../../inbox/live-inbox.ts";
import { Erasing } from "../../privacy/lazy-erasing.tsx";
import { agentsQuery } from "../../service/agents.ts";
import { askSession } from "../../service/ask-session.ts";
import { agentsWithFactorQuery } from "../../service/factors.ts";
import { useMay, useMe } from "../../service/me.ts";
import { isStillNamed } from "../../texts/agent-name.ts";
import { t } from "../../texts/texts.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { CheckRow } from "../../ui/check-row.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { showProblem } from "../../ui/toast.ts";
import { MailOff } from "../mail-off.tsx";
import { AgentQuestion, type Asking, agentChanged, refreshAgents } from "./agent-question.tsx";
import { type Invitation, InvitationLink, InviteDialog } from "./invite-dialog.tsx";
import { type ReducedAccess, ReducedAccessDialog } from "./reduced-access-dialog.tsx";
import { ResetLinkDialog } from "./reset-link-dialog.tsx";
import { TeamName } from "./team-name.tsx";

export const roleName = (role: AgentRole): string => t(`role.${role}`);

/** The agents of the team, and their roles. */
export function TeamPart() {
  const { data: agents } = useQuery(agentsQuery);
  const { data: withFactor } = useQuery({ ...agentsWithFactorQuery, enabled: useMay("list-agents-with-factor") });
  const [onlyWithout, setOnlyWithout] = useState(false);
  const people = usePeople();
  const knownPeople = useRef(people);
  // Fetches the list again when the live inbox learns that someone has joined, or has another name.
  useEffect(() => {
    if (knownPeople.current && people !== knownPeople.current) void refreshAgents();
    knownPeople.current = people;
  }, [people]);
  const [inviting, setInviting] = useState(false);
  const [invitation, setInvitation] = useState<Invitation>();
  const [reduced, setReduced] = useState<ReducedAccess>();
  const named = agents?.filter(isStillNamed);
  const shown = onlyWithout
    ? named?.filter(({ id, attributes }) => attributes.status === "active" && !withFactor?.has(id))
    : named;
  return (
    <>
      <MailOff text={t("mail.offTeam")} />
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
        {withFactor && withFactor.size > 0 && (
          <CheckRow label={t("team.onlyWithoutFactor")} checked={onlyWithout} onChange={setOnlyWithout} />
        )}
        <ul>
          {shown?.map(({ id, attributes }) => (
            <Person
              key={id}
              hasFactor={withFactor?.has(id) ?? false}
              agent={{
                id,
                email: attributes.email ?? "",
                name: attributes.name,
                role: attributes.role ?? "CHAT_AGENT_MEMBER",
                status: attributes.status ?? "active",
                online_status: attributes.online_status ?? "offline",
                profile_photo_url: attributes.profile_photo_url,
              }}
              onInvitation={setInvitation}
              onReduced={setReduced}
            />
          ))}
        </ul>
        {reduced && <ReducedAccessDialog reduced={reduced} onClose={() => setReduced(undefined)} />}
        {inviting && <InviteDialog onInvited={refreshAgents} onClose={() => setInviting(false)} />}
        {invitation && <InvitationLink invitation={invitation} onClose={() => setInvitation(undefined)} />}
      </Section>
    </>
  );
}

function Person({
  agent,
  hasFactor,
  onInvitation,
  onReduced,
}: {
  agent: TeamAgent;
  hasFactor: boolean;
  onInvitation(invitation: Invitation): void;
  onReduced(reduced: ReducedAccess): void;
}) {
  const me = useMe().agent;
  const { id, name, email, role, status } = agent;
  const shown = name ?? email;
  const mayManage = id !== me.id && reaches(me.role, role);
  const [asking, setAsking] = useState<Asking>();
  const [resetting, setResetting] = useState(false);
  const [removing, setRemoving] = useState(false);
  return (
    <li className="flex items-center gap-3 border-line border-t py-2.5 first:border-t-0">
      <Avatar id={id} name={shown} photo={agent.profile_photo_url} online={agent.online_status === "online"} />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium">{shown}</span>
          {hasFactor && <Badge tone="success">{t("team.hasFactor")}</Badge>}
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
                askSession("renewInvitation", { params: { id } }).then(onInvitation, (error) =>
                  showProblem(problemText(error)),
                )
              }
            >
              {t("team.newLink")}
            </MenuItem>
          )}
          {status === "active" && (
            // The menu gives the focus back before the dialog takes it.
            <>
              <MenuItem onSelect={() => setTimeout(() => setResetting(true))}>{t("team.createReset")}</MenuItem>
              <MenuItem onSelect={() => setTimeout(() => setAsking("reset-factors"))}>
                {t("team.resetFactors")}
              </MenuItem>
              <MenuItem onSelect={() => setTimeout(() => setAsking("sign-out"))}>{t("team.signOutAll")}</MenuItem>
            </>
          )}
          {status === "deactivated" ? (
            <>
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
              <MenuItem danger onSelect={() => setTimeout(() => setRemoving(true))}>
                {t("team.remove")}
              </MenuItem>
            </>
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
      <Erasing
        asked={removing ? { kind: "agent", id, name: shown } : undefined}
        onDone={refreshAgents}
        onClose={() => setRemoving(false)}
      />
      {resetting && <ResetLinkDialog agent={agent} onClose={() => setResetting(false)} />}
    </li>
  );
}
