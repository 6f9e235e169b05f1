import type { ImapFlow, ImapFlowOptions } from "imapflow";
import type { VettedSockets } from "../../outbound/vetted-socket.ts";
import type { Credentials } from "../credentials.ts";
import { type MailboxTokens, NoToken } from "../oauth/mailbox-tokens.ts";
import { openImap } from "../open-imap.ts";
import type { ImapAccount } from "./imap-account.ts";

/**
 * Makes a client that is connected and not signed in yet; the signal ends it in any phase.
 *
 * @param refused a token that the server has refused: another one is taken
 * @returns also the token that it will sign in with, and whether the provider has given it just now
 * @throws NoToken, and as `VettedSockets.connect`
 */
export type ImapConnector = (
  account: ImapAccount,
  signal: AbortSignal,
  refused?: string,
) => Promise<{ client: ImapFlow; token?: { token: string; isFresh: boolean } | undefined }>;

const SESSION_TIMEOUTS = {
  greetingTimeout: 30_000,
  /** Longer than every wait of a session, which ends a silent connection itself. */
  socketTimeout: 900_000,
};

/** @param timeouts replaces those of a session, which waits long */
export function createImapConnector(
  sockets: VettedSockets,
  tokens?: MailboxTokens,
  timeouts: Pick<ImapFlowOptions, "greetingTimeout" | "socketTimeout"> = SESSION_TIMEOUTS,
): ImapConnector {
  return async ({ teamId, accountId, username, password, oauth, ...server }, signal, refused) => {
    const taken = oauth && (await tokens?.take({ team_id: teamId, id: accountId }, oauth, { refused }));
    if (taken && "problem" in taken) throw new NoToken(taken);
    const credentials: Credentials = taken ? { accessToken: taken.token } : { password: password ?? "" };
    const client = await openImap(sockets, { server, username, credentials }, signal, timeouts);
    return { client, token: taken };
  };
}
