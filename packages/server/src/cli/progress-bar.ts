import { type Progress, silent } from "../progress.ts";

const WIDTH = 30;
/** Often enough to be seen moving, seldom enough to cost nothing. */
const STEP_MS = 100;
const ERASE_LINE = "\r\u001b[K";

/**
 * Makes bars on standard error, one line each, erased at its end:
 *
 * ```
 * Backing up  [############------------------]  40 %  8,012 of 20,030
 * ```
 * Nothing is shown without a terminal, or when `shown` is false.
 */
export function progressBar({
  shown,
  output,
  terminal = process.stderr.isTTY === true,
  now = () => performance.now(),
}: {
  shown: boolean;
  output: { error(text: string): void };
  terminal?: boolean;
  now?: () => number;
}): (what: string) => Progress {
  if (!shown || !terminal) return () => silent;
  return (what) => {
    let total = 0;
    let drawn = Number.NEGATIVE_INFINITY;
    return {
      wanted: true,
      begin(all) {
        total = all;
      },
      at(done) {
        if (now() - drawn < STEP_MS) return;
        drawn = now();
        output.error(`${ERASE_LINE}${bar(what, done, total)}`);
      },
      end() {
        if (drawn > 0) output.error(ERASE_LINE);
      },
    };
  };
}

function bar(what: string, done: number, total: number): string {
  if (total === 0) return `${what}  ${done.toLocaleString("en")}`;
  const share = Math.min(done / total, 1);
  const full = Math.round(share * WIDTH);
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  const figures = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  return `${what}  [${"#".repeat(full)}${"-".repeat(WIDTH - full)}] ${percent} %  ${figures}`;
}
