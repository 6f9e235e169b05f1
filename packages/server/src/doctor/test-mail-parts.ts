import { openVault } from "../access/vault.ts";
import { findVaultKey } from "../access/vault-key-file.ts";
import type { Settings } from "../config.ts";
import { createMailboxTokens } from "../email/oauth/mailbox-tokens.ts";
import { createTokenRequests } from "../email/oauth/token-requests.ts";
import { channelHosts } from "../outbound/channel-hosts.ts";
import type { DomainRecords } from "../outbound/domain-records.ts";
import { createOutbound } from "../outbound/outbound.ts";
import { vettedSockets } from "../outbound/vetted-socket.ts";
import type { Progress } from "../progress.ts";
import { createRuntime } from "../runtime.ts";
import type { Storage } from "../storage/database.ts";
import { commandTimeouts, type Timeouts } from "../timeouts.ts";
import type { Check } from "./check.ts";
import type { TestMailParts } from "./check-test-mails.ts";

/** What a command or test chooses of how test mails are sent. */
export interface TestMailOptions {
  progress: Progress;
  /** Replaces the machine's. */
  clock?: { steadyNow(): number; timeouts: Timeouts };
  /** Trusted certificates (PEM) besides those that Node trusts. */
  extraCa?: string;
}

/** Without the key of the data, a server would not know the mails as ours. */
export const NOTHING_SENT: Check = {
  ...{ name: "test emails", state: "note", says: "Nothing was sent." },
  do: "Correct the findings about the data and the encryption key first.",
};

const machineClock = { steadyNow: () => performance.now(), timeouts: commandTimeouts };

/** Connects as the server of these settings does, for the length of `work`. */
export async function withTestMailParts(
  of: {
    settings: Settings;
    storage: Storage;
    records: DomainRecords;
    now: () => number;
    options: TestMailOptions;
  },
  work: (parts: TestMailParts) => Promise<Check[]>,
): Promise<Check[]> {
  const { settings, storage, records, now, options } = of;
  const key = findVaultKey(settings);
  if (!key) return [NOTHING_SENT];
  const { progress, extraCa, clock = machineClock } = options;
  const runtime = createRuntime(openVault(key.key, key.previous), now);
  const { channelAllowedNetworks, smtpUrl } = settings;
  const { allowed } = channelHosts(channelAllowedNetworks);
  const outbound = createOutbound({ allowedNetworks: channelAllowedNetworks, ...(extraCa && { extraCa }) });
  const requests = createTokenRequests(outbound, now);
  const tokens = createMailboxTokens({ storage, runtime, timeouts: clock.timeouts, requests });
  try {
    return await work({
      ...{ storage, records, progress, smtpUrl, tokens, now, ...clock },
      ...{ vault: runtime.vault, sockets: vettedSockets({ allowed, extraCa }) },
    });
  } finally {
    outbound.close();
  }
}
