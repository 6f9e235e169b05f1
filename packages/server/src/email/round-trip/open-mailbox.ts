import type { ChannelReason } from "@frontdesk/core/domain/channel-reason";
import type { ImapFlow } from "imapflow";
import { SocketTimeout, type VettedSockets } from "../../outbound/vetted-socket.ts";
import { connectionProblem } from "../connection-problem.ts";
import { createImapConnector } from "../imap/connect-imap.ts";
import type { ImapAccount } from "../imap/imap-account.ts";
import type { MailboxTokens } from "../oauth/mailbox-tokens.ts";
import {
  findCopy,
  foldersToSearch,
  type ReceivedCopy,
  type Removal,
  removeCopies,
  type SearchedFolder,
} from "./received-copy.ts";
import type { TestMail } from "./test-mail.ts";

/** For one look into the mailbox, and for the deletion: it may have stopped answering, or never come to an end. */
const STEP_TIMEOUT_MS = 30_000;
const IMAP_TIMEOUTS = { greetingTimeout: 10_000, socketTimeout: 20_000 };

/** `problem`: why the mailbox can't be looked into. */
export type Look = { copy: ReceivedCopy | undefined; problem?: ChannelReason };

/** A mailbox that is looked into again and again: a connection that is lost is replaced at the next look. */
export interface OpenMailbox {
  /** From where the folders end now on, a mail is looked for. Resolves to what is wrong, if anything is. */
  open(): Promise<ChannelReason | undefined>;
  find(mail: TestMail, ids: readonly string[]): Promise<Look>;
  remove(mail: TestMail, ids: readonly string[]): Promise<Removal>;
  close(): void;
}

/** Of an account whose mails are handed over: there is nothing to look into. */
export const NO_MAILBOX: OpenMailbox = {
  open: async () => undefined,
  find: async () => ({ copy: undefined }),
  remove: async () => "left",
  close: () => {},
};

export function openMailbox(
  { sockets, tokens }: { sockets: VettedSockets; tokens: MailboxTokens },
  account: ImapAccount,
): OpenMailbox {
  const connect = createImapConnector(sockets, tokens, IMAP_TIMEOUTS);
  const ending = new AbortController();
  let client: ImapFlow | undefined;
  let folders: readonly SearchedFolder[] = [];
  return {
    async open() {
      try {
        folders = await inTime((opened) => foldersToSearch(opened, account));
        return undefined;
      } catch (error) {
        return connectionProblem(error, account);
      }
    },
    async find(mail, ids) {
      try {
        return { copy: await inTime((opened) => findCopy(opened, folders, mail, ids)) };
      } catch (error) {
        return { copy: undefined, problem: connectionProblem(error, account) };
      }
    },
    async remove(mail, ids) {
      try {
        return await inTime((opened) => removeCopies(opened, folders, mail, ids));
      } catch {
        return "left";
      }
    },
    close() {
      ending.abort();
      client?.close();
    },
  };

  /** One step with the mailbox, whose connection is closed when it takes too long. */
  async function inTime<T>(step: (opened: ImapFlow) => Promise<T>): Promise<T> {
    const timeout = AbortSignal.timeout(STEP_TIMEOUT_MS);
    const late = Promise.withResolvers<never>();
    const end = () => {
      late.reject(new SocketTimeout());
      client?.close();
    };
    timeout.addEventListener("abort", end);
    try {
      return await Promise.race([connected().then(step), late.promise]);
    } finally {
      timeout.removeEventListener("abort", end);
    }
  }

  async function connected(): Promise<ImapFlow> {
    if (client?.usable) return client;
    client?.close();
    ({ client } = await connect(account, ending.signal));
    await client.connect();
    return client;
  }
}
