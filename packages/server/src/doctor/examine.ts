import type { Settings } from "../config.ts";
import { type DomainRecords, domainRecords } from "../outbound/domain-records.ts";
import type { Storage } from "../storage/database.ts";
import { openStorage } from "../storage/open-storage.ts";
import { attempt, attemptAll, type Check } from "./check.ts";
import { checkAddress } from "./check-address.ts";
import { checkApps } from "./check-apps.ts";
import { checkChannels } from "./check-channels.ts";
import { checkFiles, checkFileVersions } from "./check-files.ts";
import { checkDataFolder, checkDisk } from "./check-folder.ts";
import { checkLmtp } from "./check-lmtp.ts";
import { checkMail } from "./check-mail.ts";
import { checkMailDomains } from "./check-mail-domains.ts";
import { checkPasskeys } from "./check-passkeys.ts";
import { checkRedis } from "./check-redis.ts";
import { checkSettings } from "./check-settings.ts";
import { checkSso } from "./check-sso.ts";
import { checkClock, checkEngine, checkJobs, checkMigrations, checkVaultKey } from "./check-storage.ts";
import { checkTestMails } from "./check-test-mails.ts";
import { checkWebhooks } from "./check-webhooks.ts";
import { NOTHING_SENT, type TestMailOptions, withTestMailParts } from "./test-mail-parts.ts";

/** A database that can be checked, or the reason why there is none. */
type Reached = { storage: Storage } | { storage: undefined; check: Check };

/**
 * Makes every check, whatever the others found, with a server running or not. It changes nothing and creates no missing data.
 * (It writes a name to Redis for a millisecond, and a small file to the file storage: only this shows that they work.)
 *
 * @param dataIsThere whether there may be a database to check
 * @param now this machine's clock, ms since the epoch
 * @param options.records replaces what the DNS says
 * @param options.testMails sends a mail from each mailbox to itself, which may renew its OAuth tokens; left out: nothing is sent
 */
export async function examine(
  env: Readonly<Record<string, string | undefined>>,
  dataIsThere: (settings: Settings) => boolean,
  now: () => number,
  { records = domainRecords(), testMails }: { records?: DomainRecords; testMails?: TestMailOptions } = {},
): Promise<Check[]> {
  const { check, settings, wrong } = checkSettings(env);
  const reached = await reach(settings, wrong, dataIsThere);
  const { storage } = reached;
  const { s3, lmtpHost, lmtpPort, ssoAllowedNetworks: allowedNetworks } = settings;
  try {
    const migrations = storage && (await attempt("migrations", () => checkMigrations(storage)));
    // An empty database has no tables to read.
    const filled = storage && migrations?.state === "ok" ? storage : undefined;
    const vaultKey = await attempt("encryption key", () => checkVaultKey(settings, storage));
    const isKeyOfData = vaultKey.state === "ok" || vaultKey.state === "note";
    return [
      check,
      await attempt("data folder", () => checkDataFolder(settings)),
      await attempt("disk", () => checkDisk(settings)),
      await attempt("files", () => checkFiles(settings)),
      ...(s3 ? [await attempt("file versions", () => checkFileVersions(s3))] : []),
      storage ? await attempt("storage", () => checkEngine(storage)) : reached.check,
      ...(migrations ? [migrations] : []),
      vaultKey,
      await attempt("clock", () => checkClock(storage, now)),
      ...(filled ? [await attempt("jobs", () => checkJobs(filled))] : []),
      ...(filled ? [await attempt("webhooks", () => checkWebhooks(filled))] : []),
      ...(filled ? [await attempt("channels", () => checkChannels(filled))] : []),
      ...(filled ? await attemptAll("mail domains", () => checkMailDomains(filled, records)) : []),
      ...(filled ? [await attempt("passkeys", () => checkPasskeys(filled, settings.publicUrl))] : []),
      ...(filled ? [await attempt("single sign-on", () => checkSso(filled, { allowedNetworks }))] : []),
      await attempt("public address", () => checkAddress(settings)),
      await attempt("apps", () => checkApps(settings)),
      await attempt("mail", () => checkMail(settings.smtpUrl)),
      ...(lmtpPort === undefined ? [] : [await attempt("lmtp", () => checkLmtp({ host: lmtpHost, port: lmtpPort }))]),
      await attempt("redis", () => checkRedis(settings.redisUrl)),
      ...(testMails ? await attemptAll("test emails", () => testAll(isKeyOfData ? filled : undefined, testMails)) : []),
    ];
  } finally {
    await storage?.close().catch(() => {});
  }

  async function testAll(storage: Storage | undefined, options: TestMailOptions): Promise<Check[]> {
    return storage ? withTestMailParts({ settings, storage, records, now, options }, checkTestMails) : [NOTHING_SENT];
  }
}

async function reach(
  settings: Settings,
  wrong: ReadonlySet<string>,
  dataIsThere: (settings: Settings) => boolean,
): Promise<Reached> {
  const name = "storage";
  const setting = ["DATABASE_URL", "DATA_DIR"].find((known) => wrong.has(known));
  if (setting) {
    const says = `This can be checked once ${setting} is valid.`;
    return { storage: undefined, check: { name, state: "note", says } };
  }
  if (!dataIsThere(settings)) {
    const says = `There is no data in ${settings.dataDir} yet. The first start creates it.`;
    return { storage: undefined, check: { name, state: "note", says } };
  }
  let storage: Storage | undefined;
  try {
    storage = openStorage(settings);
    await storage.read(async () => {});
    return { storage };
  } catch (error) {
    await storage?.close().catch(() => {});
    const make = settings.databaseUrl
      ? "Check that PostgreSQL is running and that DATABASE_URL is correct (host, port, user, password, database)."
      : `Check the permissions and the disk of ${settings.dataDir}. If the file is damaged, restore a backup.`;
    return { storage: undefined, check: { name, state: "problem", says: (error as Error).message, do: make } };
  }
}
