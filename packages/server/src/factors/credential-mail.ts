/** Mails about changes of how an agent signs in: a stranger's change must not stay unnoticed (ASVS 6.3.5, 6.3.7). */
import { deviceOf } from "@frontdesk/core/domain/user-agent";
import type { Context } from "../context.ts";
import type { AgentRow } from "../storage/tables.ts";
import { teamById } from "../teams/team-store.ts";

/** What has changed. The texts name no secret and have no link. */
const CHANGES = {
  "new-browser": {
    subject: "New sign-in to your account",
    text: "Your account was signed in to with a browser that hasn't been used for it before.",
  },
  "app-added": {
    subject: "Authenticator app added",
    text: "An authenticator app was added to your account. Its codes are asked for after your password.",
  },
  "passkey-added": {
    subject: "Passkey added",
    text: "A passkey was added to your account. It can be used to sign in.",
  },
  "app-removed": { subject: "Authenticator app removed", text: "The authenticator app was removed from your account." },
  "passkey-removed": { subject: "Passkey removed", text: "A passkey was removed from your account." },
  "factors-reset": {
    subject: "Two-factor sign-in reset",
    text: "All passkeys, the authenticator app and the recovery codes were removed from your account. Your password is enough to sign in.",
  },
  "recovery-code-used": {
    subject: "Recovery code used",
    text: "A recovery code was used to sign in to your account.",
  },
  "recovery-codes-renewed": {
    subject: "New recovery codes",
    text: "New recovery codes were created for your account. The ones before no longer work.",
  },
  "passkey-counter": {
    subject: "A passkey may have been copied",
    text: "A passkey of your account was used, and it counts fewer uses than before. It may have been copied. Remove it and add a new one if you don't know why.",
  },
  "account-linked": {
    subject: "Company account linked",
    text: "A company account was linked to your account. It can be used to sign in.",
  },
  "account-unlinked": {
    subject: "Company account unlinked",
    text: "A company account was unlinked from your account. It can no longer be used to sign in.",
  },
  "password-changed": { subject: "Password changed", text: "The password of your account was changed." },
} as const;

export type CredentialChange = keyof typeof CHANGES;

/** Queues the mail in this same commit, where the server sends mail. */
export async function mailChange(
  ctx: Context,
  agent: AgentRow,
  change: CredentialChange,
  { userAgent, more }: { userAgent?: string | undefined; more?: string } = {},
): Promise<void> {
  if (!ctx.sendsMail) return;
  const team = await ctx.db.first(teamById, { team_id: ctx.teamId });
  const { subject, text } = CHANGES[change];
  const facts = [`Team: ${team?.name ?? ""}`, `Time: ${timeInWords(ctx.now)}`, ...fromWhere(ctx, userAgent)];
  ctx.enqueue({
    kind: "send-mail",
    payload: {
      to: agent.email,
      subject: `${subject} (${team?.name ?? "Frontdesk"} on Frontdesk)`,
      text: `Hello${agent.name ? ` ${agent.name}` : ""},

${[text, more].filter(Boolean).join(" ")}

${facts.join("\n")}

If this wasn't you, change your password and talk to an admin of your team.
`,
    },
  });
}

function fromWhere(ctx: Context, userAgent: string | undefined): string[] {
  const { browser, system } = deviceOf({ "user-agent": userAgent });
  const device = [browser, system].filter(Boolean).join(", ");
  return [...(device ? [`Browser: ${device}`] : []), ...(ctx.actor.ip ? [`IP address: ${ctx.actor.ip}`] : [])];
}

/** `2026-11-28 17:05 UTC`: the server does not know the reader's time zone. */
const timeInWords = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
