import { expect, test } from "vitest";
import { draftWithUnsent } from "./draft.ts";

test("an unsent reply comes before what was begun meanwhile, and is there once", () => {
  expect(draftWithUnsent("Yes", "")).toBe("Yes");
  expect(draftWithUnsent("Yes", "And no")).toBe("Yes\n\nAnd no");
  expect(draftWithUnsent("Yes", draftWithUnsent("Yes", "And no"))).toBe("Yes\n\nAnd no");
});

test("a reply of files alone leaves the draft as it is", () => {
  expect(draftWithUnsent("", "And no")).toBe("And no");
});
