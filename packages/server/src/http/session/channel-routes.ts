import { sessionOperations } from "@frontdesk/core/contract/session";
import type { FastifyInstance } from "fastify";
import {
  type AccountToCheck,
  CHECK_TIMEOUT_MS,
  type CheckAccount,
  checkChannel,
  checkNewChannel,
  presentFinding,
} from "../../channels/check-channel.ts";
import { listChannelReasons } from "../../channels/list-channel-reasons.ts";
import { presentNamed } from "../../channels/stored-reason.ts";
import { askForMailServers, findMailServers, presentMailServers } from "../../email/find-mail-servers.ts";
import {
  beginMailboxSignIn,
  endMailboxSignIn,
  getMailboxSignInUrl,
  mailboxSignInUrl,
  takeMailboxSignIn,
} from "../../email/oauth/sign-in.ts";
import type { TokenRequests } from "../../email/oauth/token-requests.ts";
import { getMailboxUse } from "../../email/out/mailbox-use.ts";
import { presentShownSuppression } from "../../email/out/present-suppression.ts";
import { listSuppressions } from "../../email/out/suppressions.ts";
import type { MailRecordsLookup } from "../../outbound/mail-records.ts";
import type { Perform } from "../../perform.ts";
import { type SessionDoors, sessionEndpoints } from "./session-endpoint.ts";

/** What the settings of channels show besides the REST API. */
export async function channelSessionRoutes(
  app: FastifyInstance,
  services: SessionDoors & {
    perform: Perform;
    mailRecords: MailRecordsLookup;
    tokenRequests: TokenRequests;
    checkAccount: CheckAccount;
    publicUrl: string;
  },
) {
  const { perform, mailRecords, tokenRequests, checkAccount, publicUrl } = services;
  const serve = sessionEndpoints(app, services);
  const redirectUri = mailboxSignInUrl(publicUrl);

  serve(sessionOperations.listChannelReasons, async ({ agent }) => {
    const found = await perform(agent, listChannelReasons, {});
    return {
      reasons: found.map(({ id, reason, named }) => ({
        ...{ channel_id: id, state_reason: reason, named_reason: named ? presentNamed(named) : null },
      })),
    };
  });

  serve(sessionOperations.checkChannel, async ({ agent, params }) =>
    tryOut(await perform(agent, checkChannel, { accountId: params.id })),
  );

  serve(sessionOperations.checkNewChannel, async ({ agent, body: { channel, widget_id: widgetId, settings } }) =>
    tryOut(await perform(agent, checkNewChannel, { channel, widgetId, settings })),
  );

  /** After the transaction that has opened the account. */
  async function tryOut(tried: AccountToCheck) {
    const findings = await checkAccount(tried, AbortSignal.timeout(CHECK_TIMEOUT_MS));
    return { findings: findings.map((each) => ({ ...presentFinding(each), named_reason: presentNamed(each.reason) })) };
  }

  serve(sessionOperations.listSuppressions, async ({ agent, params, query }) => {
    const { rows, total } = await perform(agent, listSuppressions, { ...query, accountId: params.id });
    return { suppressions: rows.map(presentShownSuppression), total };
  });

  serve(sessionOperations.findMailServers, async ({ agent, body: { address } }) => {
    const found = await perform(agent, findMailServers, { address });
    return presentMailServers(await askForMailServers(found, mailRecords));
  });

  serve(sessionOperations.getMailboxUse, ({ agent, params }) =>
    perform(agent, getMailboxUse, { accountId: params.id }),
  );

  serve(sessionOperations.getMailboxSignInUrl, async ({ agent }) => ({
    redirect_uri: await perform(agent, getMailboxSignInUrl, { publicUrl }),
  }));

  serve(sessionOperations.beginMailboxSignIn, async ({ agent, params }) => {
    const { client, ...asked } = await perform(agent, beginMailboxSignIn, { accountId: params.id });
    return { url: tokenRequests.signInUrl(client.app, { ...asked, redirectUri }) };
  });

  // The provider is asked between two transactions: what was begun has ended by then, so that a repeat takes nothing.
  serve(sessionOperations.endMailboxSignIn, async ({ agent, body: { query } }) => {
    const parameters = new URLSearchParams(query);
    const state = parameters.get("state") ?? "";
    const { accountId, client, verifier } = await perform(agent, takeMailboxSignIn, { state });
    const answer = await tokenRequests.takeCode(client, { parameters, state, verifier, redirectUri });
    if ("problem" in answer) return { channel_id: accountId, ...answer };
    await perform(agent, endMailboxSignIn, { accountId, tokens: answer.tokens });
    return { channel_id: accountId, problem: null, words: null };
  });
}
