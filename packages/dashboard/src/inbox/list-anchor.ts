/** Keeps rows of a list in place while others come and go above them (docs/decisions/0044-triage.md). Rows are all of one height. */

/** A list as it was drawn: ids in their order, and an object for each that is a new one when the row has changed. */
export interface DrawnList<Row extends { id: string } = { id: string }> {
  readonly rows: readonly Row[];
  /** The first and last row that are visible, by their index. */
  readonly from: number;
  readonly to: number;
}

export interface Moved {
  /** How many rows the list has to scroll by, so that what was visible stays in place. */
  by: number;
  /** The rows that came in above it. */
  came: readonly string[];
}

const STAYED: Moved = { by: 0, came: [] };

/**
 * What has moved above the visible rows. The open row is kept in place; when it has moved itself, or is out of sight, the
 * first visible row that has not. A list at its top moves only for its open row: new rows belong in sight there.
 */
export function movedAbove<Row extends { id: string }>(
  { rows: before, from, to }: DrawnList<Row>,
  after: readonly Row[],
  activeId: string | undefined,
): Moved {
  if (before === after) return STAYED;
  const visible = before.slice(from, to + 1);
  const open = visible.find(({ id }) => id === activeId);
  if (from === 0 && !open) return STAYED;
  const placeNow = new Map(after.map(({ id }, index) => [id, index]));
  const nowAt = ({ id }: Row) => placeNow.get(id) as number;
  const candidates = [...(open ? [open] : []), ...visible].filter(({ id }) => placeNow.has(id));
  // A row that has changed may have moved by its own change.
  const anchor = candidates.find((row) => after[nowAt(row)] === row) ?? candidates[0];
  if (!anchor) return STAYED;
  const was = before.indexOf(anchor);
  const shift = nowAt(anchor) - was;
  if (from === 0 && open && nowAt(open) - before.indexOf(open) !== shift) return STAYED;
  // Where a visible row has left, those below it move up.
  const left = before.slice(from, was).filter(({ id }) => !placeNow.has(id)).length;
  const above = new Set(before.slice(0, was).map(({ id }) => id));
  const came = after.slice(0, nowAt(anchor)).flatMap(({ id }) => (above.has(id) || id === activeId ? [] : [id]));
  return { by: shift + left, came };
}
