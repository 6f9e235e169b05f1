import { expect, it } from "vitest";
import { readRunOptions } from "./run-options.mjs";

const NONE = { deep: false, repeat: 1, busy: false, writeDurations: false, vitest: [] };

it("what is not ours goes to Vitest, in its order", () => {
  expect(readRunOptions([])).toEqual(NONE);
  expect(readRunOptions(["a.test.ts", "--deep", "-t", "a name", "--busy"])).toEqual({
    ...NONE,
    deep: true,
    busy: true,
    vitest: ["a.test.ts", "-t", "a name"],
  });
});

it("a number of repeats has to be said", () => {
  expect(readRunOptions(["--repeat", "10", "a.test.ts"])).toEqual({ ...NONE, repeat: 10, vitest: ["a.test.ts"] });
  for (const wrong of [["--repeat"], ["--repeat", "0"], ["--repeat", "a.test.ts"], ["--repeat", "1.5"]]) {
    expect(() => readRunOptions(wrong)).toThrow("--repeat 10");
  }
});
