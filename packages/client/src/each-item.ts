/** Walks a whole list, page by page, as it is asked for. */

/** A method of the client that answers a list. */
type ListMethod = (input: never) => Promise<{ data: { id: string }[]; links: { next: string | null } }>;

type ItemOf<List extends ListMethod> = Awaited<ReturnType<List>>["data"][number];

/**
 * Every item of a list, from the page that the query names (else the first) to the last:
 *
 * `for await (const contact of eachItem(client.listContacts, { query: { search: "vera", limit: 100 } })) …`
 *
 * The next page is asked for only when the loop gets there; leaving the loop ends it. Pages are counted from the start of the list, so
 * something that comes in meanwhile pushes items onto the next page: an item that was given already is skipped. One that moves
 * forward meanwhile can be missed, as with any list by page.
 */
export async function* eachItem<List extends ListMethod>(
  list: List,
  ...[input]: Parameters<List>
): AsyncGenerator<ItemOf<List>, void, undefined> {
  // Every list of the contract takes `page` in its query; what else a method needs, its own type has asked for.
  const start: { query?: { page?: number } } = input ?? {};
  const given = new Set<string>();
  for (let page = start.query?.page ?? 1; ; page++) {
    const answer = await list({ ...start, query: { ...start.query, page } } as never);
    for (const item of answer.data as Awaited<ItemOf<List>>[]) {
      if (given.has(item.id)) continue;
      given.add(item.id);
      yield item;
    }
    if (answer.links.next === null) return;
  }
}
