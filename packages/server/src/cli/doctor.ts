import type { Check } from "../doctor/check.ts";
import { examine } from "../doctor/examine.ts";
import { defineCommand } from "./command.ts";
import { dataMayBeThere } from "./open-data.ts";

const SIGNS: Record<Check["state"], string> = { ok: "✓", note: "·", warning: "!", problem: "✗" };

/** `frontdesk doctor`: checks everything an installation needs, and says what to do. Ends with 1 when something is wrong. */
export const doctor = defineCommand({
  name: "doctor",
  summary: "Checks settings, data, storage, clock, address, mail and Redis, and tells you how to fix problems.",
  options: {},
  async run(_values, { env, print }) {
    const checks = await examine(env, dataMayBeThere, Date.now);
    const ok = checks.every(({ state }) => state !== "problem");
    print({ json: { ok, checks }, text: [...checks.map(inWords), "", verdict(checks)].join("\n") });
    return ok ? undefined : "failed";
  },
});

function inWords(check: Check): string {
  const [first, ...more] = check.says.split("\n");
  return [
    `${SIGNS[check.state]} ${check.name}: ${first}`,
    ...more.map((line) => `    ${line}`),
    ...(check.do ? [`    → ${check.do}`] : []),
  ].join("\n");
}

function verdict(checks: readonly Check[]): string {
  const count = (state: Check["state"]) => checks.filter((check) => check.state === state).length;
  const [problems, warnings] = [count("problem"), count("warning")];
  if (problems > 0) return `${problems === 1 ? "1 problem" : `${problems} problems`} to fix.`;
  if (warnings > 0) return `Frontdesk works, with ${warnings === 1 ? "1 warning" : `${warnings} warnings`}.`;
  return "No problems found.";
}
