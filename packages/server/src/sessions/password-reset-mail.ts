import type { Mail } from "../mail/mail.ts";
import type { AgentRow } from "../storage/tables.ts";

/** The e-mail with the link to choose a new password. */
export function passwordResetMail(agent: AgentRow, teamName: string, link: string): Mail {
  return {
    to: agent.email,
    subject: `A new password for ${teamName} on Frontdesk`,
    text: `Hello${agent.name ? ` ${agent.name}` : ""},

somebody asked for a new password for your account with the team ${teamName}.
If it was you, open this link and choose one:

${link}

The link works once, within an hour. If it was not you, you can ignore this mail: your password stays as it is.
`,
  };
}
