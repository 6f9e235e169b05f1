/**
 * Who gave a detail of a contact (docs/decisions/0049-verified-and-unverified.md): the owner's server in a signed identity, the
 * team or a program of theirs, or the visitor and the page, which anyone can make say anything. The most reliable one first.
 */
export const detailSources = ["identity", "team", "visitor"] as const;
export type DetailSource = (typeof detailSources)[number];

/**
 * The source of a detail after it was given by `by`. Giving a value that is already there keeps the more reliable source.
 *
 * @param before null: not known
 */
export function sourceAfter(
  before: DetailSource | null,
  by: DetailSource,
  { isNew }: { isNew: boolean },
): DetailSource {
  if (isNew || before === null) return by;
  return detailSources.indexOf(by) < detailSources.indexOf(before) ? by : before;
}
