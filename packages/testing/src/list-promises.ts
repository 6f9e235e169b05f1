/** Tests for what every list promises (specification, "Pagination"; decisions 26 to 28), over one list. */
import { beforeAll, describe, expect, test } from "vitest";
import { idsOf, invalid } from "./rest-answers.ts";
import type { TestTeam } from "./test-kit.ts";

/** A list with some rows. */
export interface FilledList {
  team: TestTeam;
  /** The path of the list. */
  path: string;
  /** The id of every row, in the order of the list. */
  ids: string[];
}

/**
 * Declares the tests.
 *
 * @param list.usual the default page size
 * @param list.most the largest page size
 * @param list.filter a query parameter that matches every row, and must be in the links
 * @param list.fill makes a team whose list holds `rows` rows
 */
export function specifyList(list: {
  usual: number;
  most: number;
  filter?: [name: string, value: string];
  fill: (rows: number) => Promise<FilledList>;
}): void {
  const { usual, most, filter, fill } = list;
  const rows = usual + 1;

  describe("as every list", () => {
    let { team, path, ids } = {} as FilledList;
    beforeAll(async () => {
      ({ team, path, ids } = await fill(rows));
      expect(ids).toHaveLength(rows);
    });

    test(`page 1 with ${usual} rows is answered when nothing else is asked for`, async () => {
      const { status, body } = await team.get(path);
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(["data", "meta", "links"]);
      expect(idsOf({ body })).toEqual(ids.slice(0, usual));
      expect(body.meta).toEqual({
        pagination: { total: rows, count: usual, per_page: usual, current_page: 1, total_pages: 2 },
      });
      expect(linked(body.links)).toEqual({
        self: { page: "1", limit: `${usual}` },
        first: { page: "1", limit: `${usual}` },
        last: { page: "2", limit: `${usual}` },
        next: { page: "2", limit: `${usual}` },
      });
    });

    test("the links lead from the first page to the last over every row once, in order", async () => {
      const seen: string[] = [];
      let link = (await team.get(`${path}?page=2&limit=2`)).body.links.first;
      for (let page = 1; link !== null; page += 1) {
        const { status, body } = await team.get(pathOf(link));
        expect(status).toBe(200);
        expect(body.links.self).toBe(link);
        expect(body.meta.pagination).toEqual({
          total: rows,
          count: body.data.length,
          per_page: 2,
          current_page: page,
          total_pages: Math.ceil(rows / 2),
        });
        if (body.links.next === null) expect(body.links.last).toBe(link);
        seen.push(...idsOf({ body }));
        link = body.links.next;
      }
      expect(seen).toEqual(ids);
    });

    test("the last page has no next one", async () => {
      const { body } = await team.get(`${path}?page=2`);
      expect(idsOf({ body })).toEqual(ids.slice(usual));
      expect(body.meta.pagination).toMatchObject({ count: 1, current_page: 2, total_pages: 2 });
      expect(body.links.next).toBeNull();
    });

    test.each([3, 1_000_000, Number.MAX_SAFE_INTEGER])("page %i, beyond the last, is empty", async (page) => {
      const { status, body } = await team.get(`${path}?page=${page}`);
      expect(status).toBe(200);
      expect(body.data).toEqual([]);
      expect(body.meta).toEqual({
        pagination: { total: rows, count: 0, per_page: usual, current_page: page, total_pages: 2 },
      });
      expect(linked(body.links)).toEqual({
        self: { page: `${page}`, limit: `${usual}` },
        first: { page: "1", limit: `${usual}` },
        last: { page: "2", limit: `${usual}` },
        next: null,
      });
    });

    test(`a limit is 1 to ${most}; one above gives 422 and is not cut down`, async () => {
      const smallest = await team.get(`${path}?limit=1`);
      expect(idsOf(smallest)).toEqual(ids.slice(0, 1));
      const largest = await team.get(`${path}?limit=${most}`);
      expect(largest.body.meta.pagination.per_page).toBe(most);
      expect(idsOf(largest)).toEqual(ids.slice(0, most));
      for (const limit of [0, most + 1]) {
        const answer = await team.get(`${path}?limit=${limit}`);
        expect(answer).toMatchObject({ status: 422, body: invalid("limit") });
        expect(answer.body).toEqual(invalid("limit"));
      }
    });

    test("a page is at least 1", async () => {
      const { status, body } = await team.get(`${path}?page=0`);
      expect(status).toBe(422);
      expect(body).toEqual(invalid("page"));
    });

    test("the order cannot be changed by parameters", async () => {
      const { status, body } = await team.get(`${path}?limit=2&sort=id&order=asc&sort_by=created_at`);
      expect(status).toBe(200);
      expect(idsOf({ body })).toEqual(ids.slice(0, 2));
    });

    if (filter) {
      test("the links keep what was asked for", async () => {
        const { body } = await team.get(`${path}?${new URLSearchParams([filter])}&limit=2`);
        for (const link of Object.values<string>(body.links)) {
          expect(new URL(link).searchParams.getAll(filter[0])).toEqual([filter[1]]);
        }
      });
    }

    /** The page and the limit in each link; every link is a full URL of this list. */
    function linked(links: Record<string, string | null>) {
      return Object.fromEntries(
        Object.entries(links).map(([name, link]) => {
          if (link === null) return [name, null];
          expect(link.split("?")[0]).toBe(`https://chat.test/api/v1${path}`);
          return [name, Object.fromEntries(new URL(link).searchParams)];
        }),
      );
    }
  });
}

/** The path in a link, as the test's team requests it. */
function pathOf(link: string): string {
  const { pathname, search } = new URL(link);
  return pathname.replace("/api/v1", "") + search;
}
