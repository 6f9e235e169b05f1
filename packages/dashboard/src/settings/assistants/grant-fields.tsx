import { canAct } from "@frontdesk/core/domain/agent";
import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";
import { type ChannelToGrant, channelsToOffer } from "@frontdesk/core/domain/channel";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { agentsQuery } from "../../service/agents.ts";
import { t } from "../../texts/texts.ts";
import { Field, Select } from "../../ui/field.tsx";
import { widgetsQuery } from "../widgets/widgets-query.ts";
import { AssistantPermissions } from "./assistant-permissions.tsx";
import { channelNames } from "./grant-in-words.ts";
import { GrantedChoice } from "./granted-choice.tsx";

/** What a connection may do, as it is chosen. */
export interface ChosenGrant {
  permissions: readonly AssistantPermission[];
  widgets: "all" | readonly string[];
  channels: "all" | readonly ChannelToGrant[];
  /** Empty: it cannot reply. */
  speaker: string;
}

/** The fields for what a connection may do: the same wherever an admin is asked. */
export function GrantFields({
  value,
  before,
  first,
  onlyReads,
  speakerProblem,
  onChange,
}: {
  value: ChosenGrant;
  /** The channels that it had. */
  before: "all" | readonly ChannelToGrant[];
  /** Beside the agent. */
  first?: ReactNode;
  /** At the address that changes nothing. */
  onlyReads?: boolean;
  speakerProblem?: string | undefined;
  onChange(change: Partial<ChosenGrant>): void;
}) {
  const { data: allWidgets = [] } = useQuery(widgetsQuery);
  const offered = channelsToOffer(before);
  const { permissions, widgets, channels, speaker } = value;
  return (
    <>
      {(first || !onlyReads) && (
        <div className="grid gap-4 md:grid-cols-2">
          {first}
          {!onlyReads && (
            <Speaker value={speaker} problem={speakerProblem} onChange={(id) => onChange({ speaker: id })} />
          )}
        </div>
      )}
      <AssistantPermissions
        value={permissions}
        mute={speaker === ""}
        onlyReads={onlyReads}
        onChange={(chosen) => onChange({ permissions: chosen })}
      />
      <div className="grid gap-4 md:grid-cols-2">
        <GrantedChoice
          label={t("settings.widgets")}
          all={t("assistants.allWidgets")}
          among={allWidgets.map(({ id, attributes }) => ({ id, name: attributes.name ?? id }))}
          value={widgets}
          onChange={(chosen) => onChange({ widgets: chosen })}
        />
        {(offered.length > 0 || before === "all") && (
          <GrantedChoice
            label={t("assistants.channels")}
            all={t("assistants.allChannels")}
            among={offered.map((id) => ({ id, name: channelNames[id] }))}
            value={channels}
            onChange={(chosen) => onChange({ channels: chosen })}
          />
        )}
      </div>
    </>
  );
}

/** The agent it replies as: one who may reply, or the current one. */
function Speaker({
  value,
  problem,
  onChange,
}: {
  value: string;
  problem: string | undefined;
  onChange(id: string): void;
}) {
  const { data: agents = [] } = useQuery(agentsQuery);
  const offered = agents.filter(({ id, attributes }) => id === value || canAct({ status: attributes.status ?? "" }));
  return (
    <Field label={t("assistants.speaker")} hint={t("assistants.speakerHint")} problem={problem}>
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">{t("assistants.nobody")}</option>
        {offered.map(({ id, attributes }) => (
          <option key={id} value={id}>
            {attributes.name ?? attributes.email}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** As it is sent. */
export const grantToSend = ({ permissions, widgets, channels, speaker }: ChosenGrant) => ({
  permissions: [...permissions],
  widgets: listed(widgets),
  channels: listed(channels),
  agent_id: speaker || null,
});

const listed = <Name extends string>(granted: "all" | readonly Name[]): "all" | Name[] =>
  granted === "all" ? granted : [...granted];
