import { notAuthenticated } from "@frontdesk/core/domain/refusal";
import { agentById } from "../agents/agent-store.ts";
import { audit, auditedAgent } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { type CodeVerdict, checkCode, type TypedCode } from "../factors/check-code.ts";
import { mailChange } from "../factors/credential-mail.ts";
import { factorsOf } from "../factors/factors-of.ts";
import type { Browser } from "../factors/known-browser.ts";
import { type OpenedSession, openSession, waitingSignIn } from "./open-session.ts";

export interface SecondStep {
  /** The token that the first step has given. */
  token: string;
  typed: TypedCode;
  browser: Browser;
  /** Whether the browser is spared the second step from now on. */
  trust: boolean;
}

export type SecondStepResult = OpenedSession | Exclude<CodeVerdict, { verdict: "right" }>;

/**
 * The second step of a sign-in. A wrong code is a value, and is counted; the step is open for another one until its time is over.
 *
 * @throws Refusal `not-authenticated` when the step is over: used, expired, or the password has changed
 */
export const finishSecondStep: Operation<SecondStep, SecondStepResult> = {
  name: "finish-second-step",
  mode: "write",
  async run(ctx, { token, typed, browser, trust }) {
    const waiting = await waitingSignIn(ctx, token);
    const agent = waiting && (await ctx.db.first(agentById, { team_id: ctx.teamId, id: waiting.agentId }));
    if (agent?.status !== "active" || waiting === undefined) throw notAuthenticated("second-step");
    const verdict = await checkCode(ctx, agent.id, typed);
    if (verdict.verdict !== "right") {
      audit(ctx, { agent: auditedAgent(agent), outcome: verdict.verdict });
      return verdict;
    }
    waiting.end();
    if ("recoveryCode" in typed) {
      const { recoveryCodes: left } = await factorsOf(ctx, agent.id);
      const more = left === 0 ? "None are left." : left === 1 ? "One is left." : `${left} are left.`;
      await mailChange(ctx, agent, "recovery-code-used", { userAgent: browser.userAgent, more });
    }
    const opened = await openSession(ctx, agent, {
      ...{ wayIn: waiting.sso ? "sso" : "password", sso: waiting.sso },
      ...{ browser, proved: true, trust },
    });
    if (opened.outcome !== "session") throw new Error("A second step that was right is asked for again.");
    return opened;
  },
};
