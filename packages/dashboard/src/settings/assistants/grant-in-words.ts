/** A connection's permissions as text. */
import type { Assistant } from "@frontdesk/core/contract/resources";
import type { ChannelToGrant } from "@frontdesk/core/domain/channel";
import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../service/agents.ts";
import { agentName } from "../../texts/agent-name.ts";
import { t } from "../../texts/texts.ts";
import { widgetsQuery } from "../widgets/widgets-query.ts";

/** The agent it replies as; undefined when it cannot reply. */
export function useSpeaker(agentId: string | null): string | undefined {
  const { data: agents } = useQuery(agentsQuery);
  if (agentId === null) return undefined;
  const agent = agents?.find(({ id }) => id === agentId)?.attributes;
  return (agent && agentName(agent)) || "…";
}

export function useWidgetNames(granted: "all" | readonly string[]): string {
  const { data: widgets } = useQuery(widgetsQuery);
  if (granted === "all") return t("assistants.allWidgets");
  if (granted.length === 0) return t("assistants.noWidget");
  return granted.map((id) => widgets?.find((widget) => widget.id === id)?.attributes.name ?? "…").join(", ");
}

/** The app that a connection is of: by the host that vouches for it, or as what it has called itself. */
export function appInWords({ name, host }: NonNullable<Assistant["attributes"]["app"]>): string {
  return host === null ? t("assistants.appUnchecked", { name }) : `${name} (${host})`;
}

/** Brand names; only "website" is translated. */
export const channelNames: Record<ChannelToGrant, string> = {
  email: t("email"),
  messenger: "Messenger",
  whatsapp: "WhatsApp",
  fb: "Facebook",
  instagram: "Instagram",
};

/** Undefined when none is granted. */
export function channelsInWords(granted: "all" | readonly ChannelToGrant[]): string | undefined {
  if (granted === "all") return t("assistants.allChannels");
  return granted.map((id) => channelNames[id]).join(", ") || undefined;
}
