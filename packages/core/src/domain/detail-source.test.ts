import { expect, test } from "vitest";
import { type DetailSource, detailSources, sourceAfter } from "./detail-source.ts";

test("a new value has the source that gave it, whoever gave the one before", () => {
  for (const before of [null, ...detailSources]) {
    for (const by of detailSources) expect(sourceAfter(before, by, { isNew: true })).toBe(by);
  }
});

test("a value that is given again keeps the more reliable of its sources", () => {
  const after = (before: DetailSource | null, by: DetailSource) => sourceAfter(before, by, { isNew: false });
  expect(after(null, "visitor")).toBe("visitor");
  expect(after("visitor", "team")).toBe("team");
  expect(after("visitor", "identity")).toBe("identity");
  expect(after("team", "identity")).toBe("identity");
  expect(after("identity", "team")).toBe("identity");
  expect(after("identity", "visitor")).toBe("identity");
  expect(after("team", "visitor")).toBe("team");
});
