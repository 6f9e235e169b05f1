import type { Runtime } from "../context.ts";
import { channelSecretsPlace } from "./channel-account.ts";
import type { SendingAccount } from "./channel-account-store.ts";
import type { DrivenAccount } from "./channel-driver.ts";

/** An account with its secrets opened. Undefined when the secrets were sealed with a key that this process does not have. */
export function drivenAccount(
  { team_id, id, provider_key, settings, secrets_sealed }: SendingAccount,
  vault: Runtime["vault"],
): DrivenAccount | undefined {
  try {
    const opened = secrets_sealed === null ? "{}" : vault.open(secrets_sealed, channelSecretsPlace({ team_id, id }));
    return { team_id, id, provider_key, settings: JSON.parse(settings), secrets: JSON.parse(opened) };
  } catch {
    return undefined;
  }
}
