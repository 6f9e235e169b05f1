import type { LiveConversation } from "@frontdesk/core/contract/live";
import { agentName } from "../texts/agent-name.ts";
import { t } from "../texts/texts.ts";
import { Avatar } from "../ui/avatar.tsx";
import { usePeople } from "./live-inbox.ts";

const FACES_SHOWN = 2;

/** The agents that a conversation is assigned to. */
export function Assignees({ agents }: { agents: LiveConversation["assigned_agents"] }) {
  const people = usePeople();
  if (agents.length === 0) return null;
  const names = agents.map(agentName).join(", ");
  const says = t("row.assigned", { names });
  return (
    <span role="img" aria-label={says} title={says} className="relative z-10 flex shrink-0 self-center -space-x-1">
      {agents.slice(0, FACES_SHOWN).map(({ id, name, email }) => {
        const photo = people?.agents.find((agent) => agent.id === id)?.photo_url;
        return <Avatar key={id} id={id} name={name ?? email} photo={photo} size="small" />;
      })}
    </span>
  );
}
