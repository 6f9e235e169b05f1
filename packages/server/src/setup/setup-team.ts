import { foldText } from "@frontdesk/core/domain/folded-text";
import { invalid } from "@frontdesk/core/domain/refusal";
import { createApiKey } from "../access/create-api-key.ts";
import { signInsByEmail } from "../agents/agent-store.ts";
import { createAgent } from "../agents/create-agent.ts";
import { createAssistant } from "../assistants/create-assistant.ts";
import type { Operation } from "../context.ts";
import { createTeam } from "../teams/create-team.ts";
import { createWidget } from "../widgets/create-widget.ts";
import { closeSetup, lockSetup, setupState } from "./setup-token.ts";

/** A new team. The caller has checked the texts (`person-fields.ts`). */
export interface NewTeam {
  teamName: string;
  ownerName: string;
  email: string;
  passwordHash: string;
  widgetName: string;
  /** Undefined: no key is created. */
  apiKeyName?: string | undefined;
  /** Undefined: no assistant is created. It may do everything, everywhere, and speaks as the owner. */
  assistantName?: string | undefined;
  /** The token of the set-up page; undefined for the operator at the command line, who needs none. */
  setupToken?: string | undefined;
}

export interface StartedTeam {
  teamId: string;
  agentId: string;
  widgetId: string;
  /** The full value of the key; it is shown now and never again. */
  apiKey?: string;
  /** The assistant's bearer token; it is shown now and never again. */
  assistantToken?: string;
}

/**
 * Creates a team with its owner, a widget and an API key, in one commit; the actor holds the id of the new team. A repeat with
 * the same e-mail is refused, also by another process at the same moment.
 *
 * @throws Refusal `invalid` on `email` when it belongs to an agent of some team already, on `token` when that is not valid
 */
export const setupTeam: Operation<NewTeam, StartedTeam> = {
  name: "setup-team",
  mode: "write",
  async run(ctx, { teamName, ownerName, email, passwordHash, widgetName, apiKeyName, assistantName, setupToken }) {
    await lockSetup(ctx.db);
    if (setupToken !== undefined && (await setupState(ctx, setupToken)) !== "open") {
      throw invalid({ token: "setup-over" });
    }
    if (await ctx.db.first(signInsByEmail, { email_folded: foldText(email) })) {
      throw invalid({ email: "email-has-account" });
    }
    await createTeam.run(ctx, { name: teamName });
    const owner = await createAgent.run(ctx, { email, name: ownerName, role: "CHAT_AGENT_OWNER", passwordHash });
    const widget = await createWidget.run(ctx, { name: widgetName });
    const key = apiKeyName === undefined ? undefined : await createApiKey.run(ctx, { name: apiKeyName });
    const assistant =
      assistantName === undefined
        ? undefined
        : await createAssistant.run(ctx, {
            name: assistantName,
            permissions: "all",
            widgets: "all",
            channels: "all",
            agentId: owner.id,
          });
    await closeSetup(ctx.db);
    return {
      teamId: ctx.teamId,
      agentId: owner.id,
      widgetId: widget.id,
      ...(key && { apiKey: key.value }),
      ...(assistant && { assistantToken: assistant.token }),
    };
  },
};
