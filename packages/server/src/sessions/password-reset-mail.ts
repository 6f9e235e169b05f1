import type { Mail } from "../mail/mail.ts";
import type { AgentRow } from "../storage/tables.ts";

/** The e-mail with the link to choose a new password. */
export function passwordResetMail(agent: AgentRow, teamName: string, link: string): Mail {
  return {
    to: agent.email,
    subject: `Reset your password for ${teamName} on Frontdesk`,
    text: `Hello${agent.name ? ` ${agent.name}` : ""},

We received a request to reset the password for your ${teamName} account.
To choose a new password, open this link:

${link}

The link works once and expires in one hour. If you didn't request this, you can ignore this email. Your password won't change.
`,
  };
}
