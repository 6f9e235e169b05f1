import type { AccountParts, AccountSettings } from "../channels/account-settings.ts";
import { changeEmailSettings, type EmailAccountParts, emailProviderKey } from "./change-email-settings.ts";
import { type EmailSettings, readEmailSettings } from "./email-settings.ts";

/** Where raw mails are posted, followed by the secret. */
export const EMAIL_DOOR_PATH = "/inbound/email";

export const emailAccountSettings: AccountSettings = {
  change: (before, given, tools) => changeEmailSettings(before as EmailAccountParts | undefined, given, tools),
  providerKey: (settings) => emailProviderKey(readEmailSettings(settings).address),
  providerKeyField: "settings.address",
  address: (settings) => readEmailSettings(settings).address,
  sendsMore(before, after) {
    const [was, is] = [readEmailSettings(before), readEmailSettings(after)];
    return is.pace > was.pace || is.dailyLimit > was.dailyLimit;
  },
  callbackPath: ({ secrets: { door } }) => (door === undefined ? null : `${EMAIL_DOOR_PATH}/${door}`),
  show({ settings, secrets }) {
    const read = readEmailSettings(settings);
    return {
      address: read.address,
      display_name: read.displayName,
      aliases: [...read.aliases],
      form_senders: [...read.formSenders],
      inbound: shownInbound(read.inbound, secrets),
      outbound: read.outbound && { ...read.outbound, password_set: secrets.outbound_password !== undefined },
      oauth: shownOAuth(read.oauth, secrets),
      plus_addressing: read.plusAddressing,
      hold_seconds: read.holdSeconds,
      pace: read.pace,
      daily_limit: read.dailyLimit,
      reopen_days: read.reopenDays,
      authserv_id: read.authservId,
      acknowledgement: read.acknowledgement,
    };
  },
};

function shownOAuth(oauth: EmailSettings["oauth"], secrets: AccountParts["secrets"]) {
  if (!oauth) return null;
  const stored = {
    client_secret_set: secrets.oauth_client_secret !== undefined,
    private_key_set: secrets.oauth_private_key !== undefined,
  };
  return { ...oauth, grant: oauth.grant ?? "person", ...stored } as const;
}

function shownInbound(inbound: EmailSettings["inbound"], secrets: AccountParts["secrets"]) {
  if (inbound.kind === "http") return { kind: inbound.kind };
  const { afterImport: after_import, sentFolder: sent_folder, ...rest } = inbound;
  return { ...rest, password_set: secrets.inbound_password !== undefined, after_import, sent_folder };
}
