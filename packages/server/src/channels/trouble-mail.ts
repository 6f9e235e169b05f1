import type { Mail } from "../mail/mail.ts";
import type { AgentRow, ChannelAccountRow } from "../storage/tables.ts";
import type { ChannelAccountState } from "./channel-account.ts";

/** The e-mail to an admin about a channel that doesn't work any more. */
export function troubleMail(
  admin: Pick<AgentRow, "name" | "email">,
  { name, state, state_reason: reason }: Pick<ChannelAccountRow, "name" | "state" | "state_reason">,
  { address, teamName, url }: { address: string; teamName: string; url: string },
): Mail {
  const channel = name && name !== address ? `${name} (${address})` : address;
  const needsSignIn = state === ("needs-sign-in" satisfies ChannelAccountState);
  const waits = needsSignIn
    ? "Until then, new messages aren't received, and replies wait. None is lost."
    : "Frontdesk keeps trying. Until it works again, new messages aren't received. Replies are tried for 48 hours.";
  return {
    to: admin.email,
    subject: needsSignIn ? `${address} needs a sign-in` : `${address} doesn't work`,
    text: `Hello${admin.name ? ` ${admin.name}` : ""},

${needsSignIn ? "Frontdesk can't sign in to a channel any more" : "Frontdesk has had trouble with a channel for some time"}: ${channel}
${reason ? `\n${reason}\n` : ""}
${waits}

See what's wrong and fix it:

${url}

You get this email as an admin of ${teamName}. If you don't need the channel for now, pause it there.
`,
  };
}
