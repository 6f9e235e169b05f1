import { resetUrl } from "../sessions/password-reset-link.ts";
import { requestPasswordReset } from "../sessions/request-password-reset.ts";
import { chooseAgent } from "./choose-agent.ts";
import { defineCommand, teamOption } from "./command.ts";
import { withStorage } from "./with-storage.ts";

/**
 * `frontdesk agent password`: a link to choose a new password, for an agent who is locked out. A repeat creates another one.
 */
export const agentPassword = defineCommand({
  name: "agent password",
  summary: "Creates a link that lets an agent choose a new password.",
  options: {
    email: { value: "EMAIL", help: "The agent's email address.", required: true },
    team: teamOption,
  },
  async run(values, { settings, print }) {
    const { link } = await withStorage(settings, async (open) => {
      const { operator, agent } = await chooseAgent(open, values);
      const asked = { agentId: agent.id, resetUrl: resetUrl(settings.publicUrl), mail: false };
      return open.perform(operator, requestPasswordReset, asked);
    });
    print({ json: { link }, text: `${link}\nThe link works once and expires in 24 hours.` });
  },
});
