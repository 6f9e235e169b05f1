import type { ImapFlow, ListResponse } from "imapflow";
import { archiveAmong } from "../imap/file-mails.ts";
import type { ImapAccount } from "../imap/imap-account.ts";
import type { ParsedMail } from "../parse/parsed-mail.ts";
import { TEST_HEADER } from "../rules/test-mark.ts";
import { headersIfTestMail, type TestMail } from "./test-mail.ts";

/** `read`: the folder that the account reads. */
export type FolderKind = "read" | "inbox" | "archive" | "junk";

/** A folder that the mail is looked for in. */
export interface SearchedFolder {
  kind: FolderKind;
  path: string;
  /** It has no lower UID. */
  fromUid: number;
}

export interface ReceivedCopy {
  kind: FolderKind;
  folder: string;
  uid: number;
  uidValidity: bigint;
  headers: ParsedMail["headers"];
}

/** `marked`: the server can't delete a single mail, so that it is only marked as deleted. */
export type Removal = "deleted" | "marked" | "left";

type Client = Pick<
  ImapFlow,
  "list" | "mailboxOpen" | "search" | "fetchOne" | "messageFlagsAdd" | "messageDelete" | "capabilities"
>;

const BY_UID = { uid: true };
/** A reader that archives mails may move it meanwhile. */
const REMOVALS_MAX = 3;
/** No more folders of spam are looked into. */
const JUNK_MAX = 3;

/** The folders that the mail may get into, from their present ends on. Nothing is marked by looking. */
export async function foldersToSearch(
  client: Client,
  { folder, afterImport }: Pick<ImapAccount, "folder" | "afterImport">,
): Promise<SearchedFolder[]> {
  const listed = await client.list();
  const wanted: [FolderKind, string | undefined][] = [
    ["read", folder],
    ["inbox", "INBOX"],
    ["archive", afterImport === "archive" ? archiveAmong(listed)?.path : undefined],
    ...listed
      .filter(isJunk)
      .slice(0, JUNK_MAX)
      .map(({ path }): [FolderKind, string] => ["junk", path]),
  ];
  const found = new Map<string, SearchedFolder>();
  for (const [kind, path] of wanted) {
    if (path === undefined || found.has(nameOf(path))) continue;
    const fromUid = await endOf(client, path, kind);
    if (fromUid !== undefined) found.set(nameOf(path), { kind, path, fromUid });
  }
  return [...found.values()];
}

const isJunk = ({ specialUse }: ListResponse): boolean => specialUse === "\\Junk";

/** INBOX alone is the same in any case (RFC 9051, section 5.1). */
const nameOf = (path: string): string => (path.toUpperCase() === "INBOX" ? "INBOX" : path);

/** The UID that the next mail gets. Undefined for a folder that cannot be opened, which matters only for the one that is read. */
async function endOf(client: Client, path: string, kind: FolderKind): Promise<number | undefined> {
  try {
    const { uidNext } = await client.mailboxOpen(path, { readOnly: true });
    return uidNext ?? 1;
  } catch (error) {
    if (kind === "read" || (error as { responseStatus?: string }).responseStatus !== "NO") throw error;
    return undefined;
  }
}

/** @param ids its Message-ID, and those that relays may have given it */
export async function findCopy(
  client: Client,
  folders: readonly SearchedFolder[],
  mail: TestMail,
  ids: readonly string[],
): Promise<ReceivedCopy | undefined> {
  const byId = ids.map((id): [name: string, value: string] => ["message-id", id]);
  const named = [...byId, [TEST_HEADER, mail.mark] as const];
  for (const { kind, path, fromUid } of folders) {
    const { uidValidity } = await client.mailboxOpen(path, { readOnly: true });
    for (const [name, value] of named) {
      const uids = await client.search({ uid: `${fromUid}:*`, header: { [name]: value } }, BY_UID);
      // Some servers search by no other headers than the usual ones, and refuse it.
      if (!Array.isArray(uids)) continue;
      for (const uid of uids) {
        const headers = await headersOfCopy(client, uid, mail);
        if (headers) return { kind, folder: path, uid, uidValidity, headers };
      }
    }
  }
  return undefined;
}

/** Deletes the mail wherever it is now. No other one: each is read again, in the folder that is opened for it. */
export async function removeCopies(
  client: Client,
  folders: readonly SearchedFolder[],
  mail: TestMail,
  ids: readonly string[],
): Promise<Removal> {
  for (let round = 0; round < REMOVALS_MAX; round++) {
    const copy = await findCopy(client, folders, mail, ids);
    if (!copy) return "deleted";
    const removal = await remove(client, copy, mail);
    if (removal !== "deleted") return removal;
  }
  return "left";
}

async function remove(client: Client, { folder, uid, uidValidity }: ReceivedCopy, mail: TestMail): Promise<Removal> {
  const opened = await client.mailboxOpen(folder);
  if (opened.readOnly || opened.uidValidity !== uidValidity) return "left";
  if (!(await headersOfCopy(client, uid, mail))) return "deleted";
  if (client.capabilities.has("UIDPLUS")) {
    return (await client.messageDelete(`${uid}`, BY_UID)) ? "deleted" : "left";
  }
  // Expunging without UIDPLUS would remove what others have marked as deleted.
  return (await client.messageFlagsAdd(`${uid}`, ["\\Seen", "\\Deleted"], BY_UID)) ? "marked" : "left";
}

async function headersOfCopy(client: Client, uid: number, mail: TestMail): Promise<ParsedMail["headers"] | undefined> {
  const fetched = await client.fetchOne(`${uid}`, { headers: true }, BY_UID);
  return fetched && fetched.uid === uid && fetched.headers ? headersIfTestMail(fetched.headers, mail) : undefined;
}
