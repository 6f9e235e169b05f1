import { type RetentionSettings, resolveRetention } from "@frontdesk/core/domain/retention";
import { useQuery } from "@tanstack/react-query";
import { t } from "../../texts/texts.ts";
import { channelName, channelsQuery } from "../channels/channels-query.ts";
import { OwnRetentions } from "./own-retentions.tsx";
import type { ShownRules } from "./retention-fields.tsx";

/** Channel accounts with rules of their own; the chat of a website has those of its widget. */
export function ChannelRetentions({
  settings,
  set,
  problemOf,
}: {
  settings: RetentionSettings;
  set(change: Pick<RetentionSettings, "channels">): void;
  problemOf(field: string): string | undefined;
}) {
  const { data: channels } = useQuery(channelsQuery);
  const channelOf = (id: string) => channels?.find((channel) => channel.id === id);
  /** Those of its widget, else of the team. Of a deleted channel only those of the team are known here. */
  const inheritedBy = (accountId: string): ShownRules => {
    const widgetId = channelOf(accountId)?.attributes.widget_id ?? "";
    const { team, accounts } = resolveRetention({ ...settings, channels: [] }, [{ accountId, widgetId }]);
    const { page_visits_after_days: _, ...rules } = accounts[accountId] ?? team;
    return rules;
  };
  /** The settings of a deleted one go on for its conversations. */
  const nameOf = (id: string) => {
    const channel = channelOf(id);
    if (channel) return channelName(channel);
    return channels ? t("privacy.deletedChannel") : "…";
  };
  if (!channels?.length && settings.channels.length === 0) return null;
  return (
    <OwnRetentions
      title={t("privacy.channels")}
      hint={t("privacy.channelsHint")}
      adding={t("privacy.addChannel")}
      owners={(channels ?? []).map((channel) => ({ id: channel.id, name: channelName(channel) }))}
      own={settings.channels.map(({ channel_id: id, ...rules }) => ({ id, rules }))}
      inheritedBy={inheritedBy}
      nameOf={nameOf}
      set={(own) => set({ channels: own.map(({ id, rules }) => ({ ...rules, channel_id: id })) })}
      problemOf={(index, field = "channel_id") => problemOf(`channels.${index}.${field}`)}
    />
  );
}
