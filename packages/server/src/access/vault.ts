import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/**
 * Seals what must be readable again (webhook secrets, links in waiting mails): AES-256-GCM, one nonce a text. The place of a
 * text is authenticated with it, so that it cannot be opened anywhere else (docs/decisions/0034-changing-the-sealing-key.md).
 */
export interface Vault {
  seal(text: string, place: SealedPlace): string;
  /** @throws when the text was sealed with an unknown key, for another place, or changed */
  open(sealed: string, place: SealedPlace): string;
  /** Identifies a key without revealing it; stored in the database to notice a wrong key. */
  fingerprint: string;
  /** The fingerprint of the previous key, which still opens what it has sealed; undefined when there is none. */
  previousFingerprint: string | undefined;
  /** The prefix of every text that `seal` makes now: others are older, and are sealed again. */
  sealedNow: string;
}

/** The columns that hold sealed texts. `access/sealed-text-store.ts` has the statements of each. */
export const sealedColumns = [
  "webhooks.secret_sealed",
  "webhooks.next_secret_sealed",
  "widgets.identity_secret_sealed",
  "channel_accounts.secrets_sealed",
  "mail_grants.tokens_sealed",
  "mail_grants.asked_sealed",
  "authenticator_apps.secret_sealed",
  "sso_providers.secret_sealed",
  "ai_settings.api_key_sealed",
  "idempotency_keys.body_sealed",
  "jobs.payload_sealed",
  "erased_contacts.naming_sealed",
  "erasures.text_sealed",
  "ai_runs.details_sealed",
] as const;
export type SealedColumn = (typeof sealedColumns)[number];

/** The column and row of a sealed text, the file, mail or cookie that it is in, or what it is where no one stores it. */
export interface SealedPlace {
  column: SealedColumn | "erasures.log" | "test-mail" | "passkey-challenge" | "sso.cookie" | "registered apps";
  teamId: string;
  /** The row within the team. */
  id: string;
}

/** Sealed without a place, by earlier versions; read, and never written. */
const WITHOUT_PLACE = "v1";
/** `v2.<fingerprint of the key>.<nonce, tag and text>` */
const VERSION = "v2";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

interface Key {
  bytes: Buffer;
  fingerprint: string;
}

/**
 * @param key 32 bytes
 * @param previous the previous key, while texts that it has sealed may be left
 */
export function openVault(key: Buffer, previous?: Buffer): Vault {
  const current = withFingerprint(key);
  const before = previous && withFingerprint(previous);
  const keys = before ? [current, before] : [current];
  const sealedNow = `${VERSION}.${current.fingerprint}.`;
  return {
    fingerprint: current.fingerprint,
    previousFingerprint: before?.fingerprint,
    sealedNow,
    seal(text, place) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(nameOf(place));
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return sealedNow + Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
    },
    open(sealed, place) {
      const [version, ...parts] = sealed.split(".");
      const [name, body] = parts.length === 1 ? [undefined, parts[0]] : parts;
      if (version === WITHOUT_PLACE && name === undefined && body) return openByAny(keys, body);
      const sealedBy = keys.find(({ fingerprint }) => fingerprint === name);
      if (version !== VERSION || !body) throw new Error("This is not a sealed text.");
      if (!sealedBy) throw new Error("This was sealed with a key that is not known here.");
      return openWith(sealedBy, body, nameOf(place));
    },
  };
}

function withFingerprint(bytes: Buffer): Key {
  if (bytes.length !== 32) throw new Error("The vault's key must have 32 bytes.");
  const hash = createHash("sha256").update("frontdesk vault key").update(bytes).digest("hex");
  return { bytes, fingerprint: hash.slice(0, 16) };
}

/** As JSON, so that no two places have the same name. */
const nameOf = ({ column, teamId, id }: SealedPlace): Buffer => Buffer.from(JSON.stringify([column, teamId, id]));

/** The oldest form does not name the key that has sealed it. */
function openByAny(keys: readonly Key[], body: string): string {
  let problem: unknown;
  for (const key of keys) {
    try {
      return openWith(key, body);
    } catch (error) {
      problem ??= error;
    }
  }
  throw problem;
}

function openWith({ bytes: key }: Key, body: string, place?: Buffer): string {
  const bytes = Buffer.from(body, "base64url");
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  if (place) decipher.setAAD(place);
  return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
}
