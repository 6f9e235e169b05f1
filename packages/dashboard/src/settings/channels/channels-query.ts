/** The queries of channel accounts. All keys of one account begin alike, so that one call invalidates them. */
import { eachItem } from "@frontdesk/client";
import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { queryOptions } from "@tanstack/react-query";
import { queries } from "../../service/queries.ts";
import { rest } from "../../service/rest.ts";

/** How often states are looked at while they are shown: a new account is tried in the background. */
export const LOOK_AGAIN_MS = 3_000;

export const channelsQuery = queryOptions({
  queryKey: ["channels"],
  async queryFn() {
    const found: Channel[] = [];
    for await (const channel of eachItem(rest.listChannels, { query: { limit: 100 } })) found.push(channel);
    return found;
  },
});

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ["channels", id],
    queryFn: () => rest.getChannel({ params: { id } }).then(({ data }) => data),
  });

export const channelsChanged = () => queries.invalidateQueries({ queryKey: channelsQuery.queryKey });

/** Shows an answer at once. */
export async function channelChanged(channel: Channel): Promise<void> {
  queries.setQueryData(channelQuery(channel.id).queryKey, channel);
  await channelsChanged();
}

export const channelName = ({ attributes: { name, address } }: Channel): string => name ?? address ?? "…";
