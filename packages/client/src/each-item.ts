/** Iterates over a whole list, fetching pages as they are needed. */

/** A method of the client that answers a list. */
type ListMethod = (input: never) => Promise<{ data: { id: string }[]; links: { next: string | null } }>;

type ItemOf<List extends ListMethod> = Awaited<ReturnType<List>>["data"][number];

/**
 * Every item of a list, from the page named in the query (else the first) to the last:
 *
 * `for await (const contact of eachItem(client.listContacts, { query: { search: "vera", limit: 100 } })) …`
 *
 * The next page is fetched only when the loop gets there; leaving the loop ends it. Pages are counted from the start of the
 * list, so a new item pushes others onto the next page: an item given before is skipped. An item that moves forward meanwhile
 * can be missed, as with any paged list.
 */
export async function* eachItem<List extends ListMethod>(
  list: List,
  ...[input]: Parameters<List>
): AsyncGenerator<ItemOf<List>, void, undefined> {
  // Every list of the contract has `page` in its query; the method's type requires its other parameters.
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
