import { canonicalId } from "@frontdesk/core/domain/id";
import { notFound } from "@frontdesk/core/domain/refusal";
import { audit } from "../audit/audit.ts";
import type { Operation } from "../context.ts";
import { signedInAgent } from "../sessions/signed-in-agent.ts";
import { endTrustRow } from "./browser-store.ts";

/** A browser of the signed-in agent needs the second step again. One that is not trusted is not found. */
export const endBrowserTrust: Operation<{ browserId: string }, void> = {
  name: "end-browser-trust",
  mode: "write",
  async run(ctx, { browserId }) {
    const { agentId } = signedInAgent(ctx);
    const id = canonicalId(browserId);
    const asked = { team_id: ctx.teamId, agent_id: agentId, now: ctx.now };
    const ended = id && (await ctx.db.run(endTrustRow, { ...asked, id }));
    if (!ended) throw notFound("browser");
    audit(ctx, { browser: { id } });
  },
};
