import { setTimeout as delay } from "node:timers/promises";
import type { Runtime } from "../context.ts";

/** The pause after a commit: twice as long as it took, within these bounds. `npm run bench:erase` shows the effect. */
const PAUSE_MS = { least: 10, most: 500 };

/** The pace of erasures beside other writes. */
export function erasePace({ steadyNow }: Pick<Runtime, "steadyNow">) {
  return async <T>(commit: () => Promise<T>): Promise<T> => {
    const began = steadyNow();
    const result = await commit();
    await delay(Math.min(PAUSE_MS.most, Math.max(PAUSE_MS.least, 2 * (steadyNow() - began))));
    return result;
  };
}
