import { rest } from "@frontdesk/core/contract";
import {
  type AccountToCheck,
  CHECK_TIMEOUT_MS,
  checkChannel,
  checkNewChannel,
  presentFinding,
} from "../../channels/check-channel.ts";
import { createChannel } from "../../channels/create-channel.ts";
import { deleteChannel } from "../../channels/delete-channel.ts";
import { getChannel, listChannels } from "../../channels/list-channels.ts";
import { presentChannel } from "../../channels/present-channel.ts";
import { updateChannel } from "../../channels/update-channel.ts";
import { presentSuppression } from "../../email/out/present-suppression.ts";
import { allowAddress, listSuppressions } from "../../email/out/suppressions.ts";
import { listBody, pageOf } from "./list-body.ts";
import { type Endpoint, endpoint, endpointAnsweredBy, type RestServices } from "./rest-endpoint.ts";

export const channelRoutes: Endpoint[] = [
  endpoint(
    rest.listChannels,
    listChannels,
    ({ query }) => pageOf(query),
    (listed, { url, query }, { publicUrl }) =>
      listBody(url, pageOf(query), listed, (account) => presentChannel(account, publicUrl)),
  ),
  endpoint(
    rest.createChannel,
    createChannel,
    ({ body }) => ({
      channel: body.channel,
      widgetId: body.widget_id,
      name: body.name ?? null,
      settings: body.settings,
    }),
    (account, _request, { publicUrl }) => ({
      message: "Channel created.",
      data: presentChannel(account, publicUrl),
    }),
  ),
  endpointAnsweredBy(rest.checkNewChannel, async ({ body, actor }, services) => {
    const { channel, widget_id: widgetId, settings } = body;
    return tryOut(services, await services.perform(actor, checkNewChannel, { channel, widgetId, settings }));
  }),
  endpoint(
    rest.getChannel,
    getChannel,
    ({ params }) => ({ accountId: params.id }),
    (account, _request, { publicUrl }) => ({ data: presentChannel(account, publicUrl) }),
  ),
  endpoint(
    rest.updateChannel,
    updateChannel,
    ({ params, body }) => ({ accountId: params.id, change: body }),
    (account, _request, { publicUrl }) => ({
      message: "Channel updated.",
      data: presentChannel(account, publicUrl),
    }),
  ),
  endpoint(
    rest.deleteChannel,
    deleteChannel,
    ({ params }) => ({ accountId: params.id }),
    () => ({ message: "Channel deleted." }),
  ),
  endpoint(
    rest.listSuppressions,
    listSuppressions,
    ({ params, query }) => ({ ...pageOf(query), accountId: params.id }),
    (listed, { url, query }) => listBody(url, pageOf(query), listed, presentSuppression),
  ),
  endpoint(
    rest.deleteSuppression,
    allowAddress,
    ({ params }) => ({ accountId: params.id, address: params.address }),
    () => ({ message: "Address allowed again." }),
  ),
  endpointAnsweredBy(rest.checkChannel, async ({ params, actor }, services) =>
    tryOut(services, await services.perform(actor, checkChannel, { accountId: params.id })),
  ),
];

/** After the transaction that has opened the account. */
async function tryOut({ checkAccount }: RestServices, tried: AccountToCheck) {
  const findings = await checkAccount(tried, AbortSignal.timeout(CHECK_TIMEOUT_MS));
  return { data: findings.map(presentFinding) };
}
