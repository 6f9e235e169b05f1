import { sessionOperations } from "@frontdesk/core/contract/session";
import type { FastifyInstance } from "fastify";
import { askForMailServers, findMailServers, presentMailServers } from "../../email/find-mail-servers.ts";
import {
  beginMailboxSignIn,
  endMailboxSignIn,
  getMailboxSignInUrl,
  mailboxSignInUrl,
  takeMailboxSignIn,
} from "../../email/oauth/sign-in.ts";
import type { TokenRequests } from "../../email/oauth/token-requests.ts";
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
    publicUrl: string;
  },
) {
  const { perform, mailRecords, tokenRequests, publicUrl } = services;
  const serve = sessionEndpoints(app, services);
  const redirectUri = mailboxSignInUrl(publicUrl);

  serve(sessionOperations.findMailServers, async ({ agent, body: { address } }) => {
    const found = await perform(agent, findMailServers, { address });
    return presentMailServers(await askForMailServers(found, mailRecords));
  });

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
