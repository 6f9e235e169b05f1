import { sql } from "kysely";
import { every, statement, wholeRow } from "../../storage/statement.ts";
import type { MailFolderRow } from "../../storage/tables.ts";
import type { FolderPosition } from "./folder-position.ts";

export interface OfMailbox {
  team_id: string;
  account_id: string;
}

/** The account was created or has changed: its reader, or the first process that looks, has to look at it. */
export const markMailboxDue = statement<OfMailbox>((db, param) =>
  db
    .insertInto("mail_folders")
    .values({
      ...every(param, ["team_id", "account_id"]),
      ...{ is_due: 1, owner_id: null, folder: null, uid_validity: null, last_uid: 0, connected_at: null },
      ...{ renumbered_to: 0, filed_uid: 0, gaps: "[]", sent_position: null },
    })
    .onConflict((conflict) => conflict.columns(["team_id", "account_id"]).doUpdateSet({ is_due: 1 })),
);

export type DueMailbox = Pick<MailFolderRow, "team_id" | "account_id" | "owner_id">;

/** The mailboxes of all teams whose account has changed. */
export const mailboxesDue = statement<Record<never, never>, DueMailbox>((db) =>
  db.selectFrom("mail_folders").select(["team_id", "account_id", "owner_id"]).where("is_due", "=", sql.lit(1)),
);

/** The mailboxes of all teams that a process reads that is not among `living` (by `listParam`). Reads only those with an owner. */
export const mailboxesOfDead = statement<{ living: string }, DueMailbox>((db, param, dialect) =>
  db
    .selectFrom("mail_folders")
    .select(["team_id", "account_id", "owner_id"])
    .where("owner_id", "is not", null)
    .where((row) => row.not(dialect.isIn(row.ref("owner_id"), param("living")))),
);

/** What a process reads, of all teams: it stops. */
export const mailboxesOfReader = statement<{ owner_id: string }, OfMailbox>((db, param) =>
  db.selectFrom("mail_folders").select(["team_id", "account_id"]).where("owner_id", "=", param("owner_id")),
);

export const mailboxOwner = statement<OfMailbox, Pick<MailFolderRow, "owner_id">>((db, param) =>
  db
    .selectFrom("mail_folders")
    .select("owner_id")
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id")),
);

/** Its reader, or none; it has been looked at. */
export const setMailboxOwner = statement<OfMailbox & Pick<MailFolderRow, "owner_id" | "is_due">>((db, param) =>
  db
    .updateTable("mail_folders")
    .set(every(param, ["owner_id", "is_due"]))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id")),
);

/** Gives a mailbox back, if it is still this process's: another may read it at once. */
export const releaseMailbox = statement<OfMailbox & { owner_id: string }>((db, param) =>
  db
    .updateTable("mail_folders")
    .set({ owner_id: null, is_due: 1 })
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("owner_id", "=", param("owner_id")),
);

export const mailFolder = statement<OfMailbox, MailFolderRow>((db, param) =>
  db
    .selectFrom("mail_folders")
    .selectAll()
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id")),
);

const POSITION = ["folder", "uid_validity", "last_uid", "connected_at", "renumbered_to", "filed_uid", "gaps"] as const;

type StoredPosition = Pick<MailFolderRow, (typeof POSITION)[number]>;

/** Stores the position, unless another process reads the mailbox. */
export const savePosition = statement<OfMailbox & StoredPosition & { owner_id: string }>((db, param) =>
  db
    .updateTable("mail_folders")
    .set(every(param, POSITION))
    .where("team_id", "=", param("team_id"))
    .where("account_id", "=", param("account_id"))
    .where("owner_id", "=", param("owner_id")),
);

/** The position in `folder`; undefined when it was not read before. */
export function positionOf(row: StoredPosition | undefined, folder: string): FolderPosition | undefined {
  if (!row || row.folder !== folder || row.uid_validity === null || row.connected_at === null) return undefined;
  return {
    uidValidity: row.uid_validity,
    lastUid: row.last_uid,
    connectedAt: row.connected_at,
    renumberedTo: row.renumbered_to,
    filedUid: row.filed_uid,
    gaps: JSON.parse(row.gaps),
  };
}

export const storedPosition = (folder: string, position: FolderPosition): StoredPosition => ({
  folder,
  uid_validity: position.uidValidity,
  last_uid: position.lastUid,
  connected_at: position.connectedAt,
  renumbered_to: position.renumberedTo,
  filed_uid: position.filedUid,
  gaps: JSON.stringify(position.gaps),
});

/** Stores the position in the folder of sent mails, or null; as `savePosition`. */
export const saveSentPosition = statement<OfMailbox & Pick<MailFolderRow, "sent_position"> & { owner_id: string }>(
  (db, param) =>
    db
      .updateTable("mail_folders")
      .set({ sent_position: param("sent_position") })
      .where("team_id", "=", param("team_id"))
      .where("account_id", "=", param("account_id"))
      .where("owner_id", "=", param("owner_id")),
);

type SentPosition = FolderPosition & { folder: string };

/** As `positionOf`, of the folder of sent mails. */
export function sentPositionOf(
  row: Pick<MailFolderRow, "sent_position"> | undefined,
  folder: string,
): FolderPosition | undefined {
  if (!row || row.sent_position === null) return undefined;
  const { folder: known, ...position } = JSON.parse(row.sent_position) as SentPosition;
  return known === folder ? position : undefined;
}

export const storedSentPosition = (folder: string, position: FolderPosition): string =>
  JSON.stringify({ folder, ...position } satisfies SentPosition);

interface Reader {
  id: string;
  lease_until: number;
}

export const insertReader = statement<Reader>((db, param) =>
  db.insertInto("mail_readers").values(wholeRow(param, "mail_readers")),
);

/** Renews the lease of a process, if it has not run out: others may have its mailboxes then. */
export const renewReader = statement<Reader & { now: number }>((db, param) =>
  db
    .updateTable("mail_readers")
    .set({ lease_until: param("lease_until") })
    .where("id", "=", param("id"))
    .where("lease_until", ">", param("now")),
);

/** `far`: a time that no lease ends after, unless the clock was set back meanwhile. */
export const livingReaders = statement<{ now: number; far: number }, { id: string }>((db, param) =>
  db
    .selectFrom("mail_readers")
    .select("id")
    .where("lease_until", ">", param("now"))
    .where("lease_until", "<=", param("far")),
);

export const deadReaders = statement<{ now: number; far: number }, { id: string }>((db, param) =>
  db
    .selectFrom("mail_readers")
    .select("id")
    .where((row) => row.or([row("lease_until", "<=", param("now")), row("lease_until", ">", param("far"))])),
);

export const deleteReader = statement<{ id: string }>((db, param) =>
  db.deleteFrom("mail_readers").where("id", "=", param("id")),
);

/** No process is reading. */
export const deleteReaders = statement<Record<never, never>>((db) => db.deleteFrom("mail_readers"));
