import type { ImapFlow } from "imapflow";
import type { VettedSockets } from "../../outbound/vetted-socket.ts";
import { openImap } from "../open-imap.ts";
import type { ImapAccount } from "./imap-account.ts";

/** Makes a client that is connected and not signed in yet; the signal ends it in any phase. */
export type ImapConnector = (account: ImapAccount, signal: AbortSignal) => Promise<ImapFlow>;

/** Longer than every wait of a session, which ends a silent connection itself. */
const SOCKET_TIMEOUT_MS = 900_000;
const GREETING_TIMEOUT_MS = 30_000;

export const createImapConnector =
  (sockets: VettedSockets): ImapConnector =>
  ({ username, password, ...server }, signal) =>
    openImap(sockets, { server, username, credentials: { password } }, signal, {
      greetingTimeout: GREETING_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
    });
