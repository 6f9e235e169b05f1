import type { OwnFactors as ShownFactors, SignInRules as ShownRules } from "@frontdesk/core/contract/session-factors";
import { isoTime, isoTimeOrNull } from "../timestamp.ts";
import type { OwnFactors } from "./own-factors.ts";
import type { SignInRules } from "./sign-in-rules.ts";

export function presentOwnFactors(
  { app, passkeys, recoveryCodes, browsers, isRequired }: OwnFactors,
  { hasPasskeys }: { hasPasskeys: boolean },
): ShownFactors {
  return {
    app: app
      ? { id: app.id, created_at: isoTime(app.created_at), last_used_at: isoTimeOrNull(app.last_used_at) }
      : null,
    passkeys: passkeys.map(({ id, name, created_at, last_used_at, is_synced }) => ({
      ...{ id, name, is_synced: is_synced === 1 },
      ...{ created_at: isoTime(created_at), last_used_at: isoTimeOrNull(last_used_at) },
    })),
    passkeys_possible: hasPasskeys,
    recovery_codes: recoveryCodes,
    trusted_browsers: browsers.map(({ id, user_agent, last_used_at, trusted_until }) => ({
      id,
      user_agent,
      last_used_at: isoTime(last_used_at),
      trusted_until: isoTime(trusted_until ?? 0),
    })),
    is_required: isRequired,
  };
}

export function presentSignInRules({ required, trustsBrowsers }: SignInRules): ShownRules {
  return { required, trusts_browsers: trustsBrowsers };
}
