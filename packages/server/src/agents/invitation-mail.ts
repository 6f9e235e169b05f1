import type { Mail } from "../mail/mail.ts";
import type { AgentRow } from "../storage/tables.ts";

/** The e-mail of an invitation. */
export function invitationMail(agent: AgentRow, teamName: string, link: string): Mail {
  return {
    to: agent.email,
    subject: `You're invited to join ${teamName} on Frontdesk`,
    text: `Hello${agent.name ? ` ${agent.name}` : ""},

You've been invited to join ${teamName} and answer its customers on Frontdesk.
Open this link to choose a password and join:

${link}

The link expires in 7 days. If you weren't expecting this email, you can ignore it.
`,
  };
}
