import { expect, test } from "vitest";
import { isUnverified, sourceText } from "./detail-source.tsx";

test("what a visitor has said, or no one knows who, is not verified; what the team or another channel gave is not in question", () => {
  expect((["visitor", "unknown"] as const).map(isUnverified)).toEqual([true, true]);
  expect((["identity", "team", null, undefined] as const).map(isUnverified)).toEqual([false, false, false, false]);
});

test("nothing stands beside what the team gave, or what came by another channel", () => {
  for (const source of ["team", null, undefined] as const) expect(sourceText(source)).toBeUndefined();
  for (const source of ["identity", "visitor", "unknown"] as const) expect(sourceText(source)).toBeTruthy();
});
