/** The queries of channel accounts. All keys of one account begin alike, so that one call invalidates them. */
import { eachItem } from "@frontdesk/client";
import type { ErrorReason } from "@frontdesk/core/contract/errors";
import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { queryOptions } from "@tanstack/react-query";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";

/** How often states are looked at while they are shown: a new account is tried in the background. */
export const LOOK_AGAIN_MS = 3_000;
/** The service tries the servers of a channel for up to 30 s. */
export const CHECK_TIMEOUT_MS = 40_000;

/** An account, and what is wrong with it by name, which the REST API does not say. */
export type ShownChannel = Channel & { named_reason?: ErrorReason | undefined };

export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  async queryFn() {
    const found: Channel[] = [];
    for await (const channel of eachItem(rest.listChannels, { query: { limit: 100 } })) found.push(channel);
    return withReasons(found);
  },
});

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ["channels", id],
    async queryFn(): Promise<ShownChannel> {
      const { data } = await rest.getChannel({ params: { id } });
      const [shown = data] = await withReasons([data]);
      return shown;
    },
  });

/** How often it is read how much a mailbox has sent. */
export const USE_LOOK_AGAIN_MS = 30_000;

export const mailboxUseQuery = (id: string) =>
  queryOptions({
    queryKey: ["channels", id, "use"],
    queryFn: ({ signal }) => askSession("getMailboxUse", { params: { id }, signal }),
  });

export const channelsChanged = () => queries.invalidateQueries({ queryKey: channelsQuery.queryKey });

async function withReasons(channels: readonly Channel[]): Promise<ShownChannel[]> {
  if (channels.every(({ attributes }) => attributes.state_reason === null)) return [...channels];
  const { reasons } = await askSession("listChannelReasons");
  const named = new Map(reasons.map((each) => [each.channel_id, each]));
  return channels.map((channel) => {
    const found = named.get(channel.id);
    // The state may have changed between the two answers.
    const isSame = found?.state_reason === channel.attributes.state_reason;
    return found?.named_reason && isSame ? { ...channel, named_reason: found.named_reason } : channel;
  });
}

/** Shows an answer at once. */
export async function channelChanged(channel: Channel): Promise<void> {
  const { queryKey } = channelQuery(channel.id);
  const before = queries.getQueryData(queryKey);
  const isSame = before?.attributes.state_reason === channel.attributes.state_reason;
  queries.setQueryData(queryKey, isSame ? { ...channel, named_reason: before?.named_reason } : channel);
  await channelsChanged();
}

export const channelName = ({ attributes: { name, address } }: Channel): string => name ?? address ?? "…";
