/**
 * A wall clock for another process that can be set while it runs: Debian's libfaketime (`apt-get install libfaketime`).
 * Monotonic clocks are unchanged, as on a machine whose clock is set.
 */
import { globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface FakeClock {
  /** Environment of the process. */
  settings: Record<string, string>;
  /** Sets it to this offset from the machine's own clock, in seconds. */
  set(seconds: number): void;
  /** Its time, ms since 1970. */
  now(): number;
  remove(): void;
}

/** @throws Error when the library is missing */
export function newFakeClock(): FakeClock {
  const [library] = globSync("/usr/lib/*/faketime/libfaketime.so.1");
  if (!library) throw new Error("This needs libfaketime, on Linux. On Debian, run: sudo apt-get install libfaketime");
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-clock-"));
  const file = join(folder, "offset");
  let offset = 0;
  const clock: FakeClock = {
    settings: {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    set(seconds) {
      // Atomically: the process reads it whenever it needs the time.
      writeFileSync(`${file}.new`, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}`);
      renameSync(`${file}.new`, file);
      offset = seconds * 1_000;
    },
    now: () => Date.now() + offset,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  clock.set(0);
  return clock;
}
