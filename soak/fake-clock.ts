/**
 * A wall clock for another process that can be set while it runs: Debian's libfaketime (`apt-get install libfaketime`).
 * What measures time that passes is left as it is, as on a machine whose clock is set.
 */
import { globSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface FakeClock {
  /** Environment of the process. */
  settings: Record<string, string>;
  /** Sets it so many seconds from the machine's own clock. */
  set(seconds: number): void;
  /** What it shows, ms since the epoch. */
  now(): number;
  remove(): void;
}

/** @throws Error when the library is not there */
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
      // In one step: the process reads it whenever it asks for the time.
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
