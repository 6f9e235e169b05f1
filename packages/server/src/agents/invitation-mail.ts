import type { Mail } from "../mail/mail.ts";
import type { AgentRow } from "../storage/tables.ts";

/** The e-mail of an invitation. */
export function invitationMail(agent: AgentRow, teamName: string, link: string): Mail {
  return {
    to: agent.email,
    subject: `You are invited to ${teamName} on Frontdesk`,
    text: `Hello${agent.name ? ` ${agent.name}` : ""},

you are invited to answer customers with the team ${teamName}.
Open this link to choose a password and join:

${link}

The link works for 7 days. If you did not expect this, you can ignore it.
`,
  };
}
