import type { Check } from "../doctor/check.ts";
import { examine } from "../doctor/examine.ts";
import { defineCommand } from "./command.ts";
import { dataMayBeThere } from "./open-data.ts";

const SIGNS: Record<Check["state"], string> = { ok: "✓", note: "·", warning: "!", problem: "✗" };

/**
 * `frontdesk doctor`: checks everything an installation needs, and says what to do. Ends with 1 when something is wrong. Only with
 * `--mail` it sends something.
 */
export const doctor = defineCommand({
  name: "doctor",
  summary: "Checks settings, data, storage, clock, address, mail and Redis, and tells you how to fix problems.",
  options: {
    mail: {
      help: "Also sends a test email from each active mailbox to itself, waits up to 90 seconds for it, and deletes it.",
    },
  },
  async run({ mail }, { env, print, progress }) {
    const testMails = { progress: progress("Waiting up to 90 seconds for test emails") };
    const checks = await examine(env, dataMayBeThere, Date.now, mail === undefined ? {} : { testMails });
    const ok = checks.every(({ state }) => state !== "problem");
    print({ json: { ok, checks }, text: [...checks.map(inWords), "", verdict(checks)].join("\n") });
    return ok ? undefined : "failed";
  },
});

function inWords(check: Check): string {
  const [first, ...more] = check.says.split("\n").map(printable);
  return [
    `${SIGNS[check.state]} ${check.name}: ${first}`,
    ...more.map((line) => `    ${line}`),
    ...(check.do ? [`    → ${printable(check.do)}`] : []),
  ].join("\n");
}

/** A finding may name what a mail server or its mails say: nothing of it may control the terminal. */
const printable = (line: string): string => line.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");

function verdict(checks: readonly Check[]): string {
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  if (problems > 0) return `${problems === 1 ? "1 problem" : `${problems} problems`} to fix.`;
  if (warnings > 0) return `Frontdesk works, with ${warnings === 1 ? "1 warning" : `${warnings} warnings`}.`;
  return "No problems found.";
}
