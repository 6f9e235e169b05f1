/** UIDs that did not exist when the position passed them: expunged, or not shown yet. */
export interface UidGap {
  from: number;
  to: number;
  /** When it was passed, ms since the epoch. */
  at: number;
}

/** How far a folder was read. UIDs are valid together with the folder's UIDVALIDITY alone (RFC 9051, section 2.3.1.1). */
export interface FolderPosition {
  uidValidity: number;
  /** Every mail up to here was taken, or is older than the connection. */
  lastUid: number;
  /** Mails of before are never imported; ms since the epoch. */
  connectedAt: number;
  /** Up to here the folder was numbered anew: of these, only mails newer than `connectedAt` are taken. */
  renumberedTo: number;
  /** Up to here mails were flagged or archived, where the account wants that. */
  filedUid: number;
  gaps: readonly UidGap[];
}

/** What a server says of a folder that it has opened. */
export interface OpenedFolder {
  uidValidity: number;
  /** The UID that the next mail will get; 0 when the server does not say it. */
  uidNext: number;
}

/** How long a lower UID may show late. */
const GAP_MS = 2 * 24 * 3_600_000;
const MOST_GAPS = 200;

/**
 * Where to go on in a folder that was just opened.
 *
 * ```
 *   never read --> from now on
 *   same UIDVALIDITY --> where it was
 *   another one, or the server has fewer UIDs than were read (restored from a backup) --> numbered anew: from the beginning
 * ```
 */
export function positionIn(
  { uidValidity, uidNext }: OpenedFolder,
  known: FolderPosition | undefined,
  now: number,
): FolderPosition {
  const highest = Math.max(0, uidNext - 1);
  if (!known) {
    return { uidValidity, lastUid: highest, connectedAt: now, renumberedTo: 0, filedUid: highest, gaps: [] };
  }
  const isRestored = uidNext > 0 && highest < known.lastUid;
  if (known.uidValidity === uidValidity && !isRestored) return known;
  return { ...known, uidValidity, lastUid: 0, renumberedTo: highest, filedUid: highest, gaps: [] };
}

/** The position after `uid`, the next one that the server has shown. */
export function passed(position: FolderPosition, uid: number, now: number): FolderPosition {
  const from = Math.max(position.lastUid, position.renumberedTo) + 1;
  const gap = from < uid ? [{ from, to: uid - 1, at: now }] : [];
  return { ...position, lastUid: uid, gaps: [...freshGaps(position, now), ...gap].slice(-MOST_GAPS) };
}

/** The position when every mail of an opened folder has been passed: what has no mail up to its next UID is a gap. */
export function passedAll(position: FolderPosition, { uidNext }: OpenedFolder, now: number): FolderPosition {
  if (uidNext - 1 <= position.lastUid) return position;
  return { ...passed(position, uidNext, now), lastUid: uidNext - 1 };
}

/** The position after a UID of a gap has shown up. */
export function filled(position: FolderPosition, uid: number): FolderPosition {
  const gaps = position.gaps.flatMap((gap) => {
    if (uid < gap.from || uid > gap.to) return [gap];
    const parts = [
      { ...gap, to: uid - 1 },
      { ...gap, from: uid + 1 },
    ];
    return parts.filter(({ from, to }) => from <= to);
  });
  return { ...position, gaps };
}

/** The gaps in which a mail may still show up. */
export const freshGaps = ({ gaps }: FolderPosition, now: number): UidGap[] =>
  gaps.filter(({ at }) => at > now - GAP_MS && at <= now);
