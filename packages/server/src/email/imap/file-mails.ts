import type { ImapFlow, ListResponse } from "imapflow";
import type { AfterImport } from "../email-settings.ts";
import { COMMAND_MS, type Within } from "./fetch-mail.ts";

type FilingClient = Pick<
  ImapFlow,
  "messageFlagsAdd" | "messageMove" | "messageCopy" | "list" | "mailboxCreate" | "capabilities"
>;

/** Flags or archives mails on the server after their import. A repeat changes nothing more. */
export async function fileMails(
  client: FilingClient,
  /** UIDs and ranges, as `5:9,12`. */
  uids: string,
  how: Exclude<AfterImport, "leave">,
  within: Within,
): Promise<void> {
  const byUid = { uid: true };
  if (how === "flag") {
    await within(COMMAND_MS, () => client.messageFlagsAdd(uids, ["\\Seen"], byUid));
    return;
  }
  const archive = await archiveFolder(client, within);
  if (client.capabilities.has("MOVE") || client.capabilities.has("UIDPLUS")) {
    await within(COMMAND_MS, () => client.messageMove(uids, archive, byUid));
    return;
  }
  // Expunging without UIDPLUS would remove what others have marked as deleted.
  const copied = await within(COMMAND_MS, () => client.messageCopy(uids, archive, byUid));
  if (copied) await within(COMMAND_MS, () => client.messageFlagsAdd(uids, ["\\Seen", "\\Deleted"], byUid));
}

async function archiveFolder(client: FilingClient, within: Within): Promise<string> {
  const folders = await within(COMMAND_MS, () => client.list());
  const found = archiveAmong(folders);
  if (found) return found.path;
  return (await within(COMMAND_MS, () => client.mailboxCreate("Archive"))).path;
}

/** The folder that mails are archived in; undefined while there is none. */
export const archiveAmong = (folders: readonly ListResponse[]): ListResponse | undefined =>
  folders.find(({ specialUse }) => specialUse === "\\Archive") ?? folders.find(({ name }) => name === "Archive");
