import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

/** Seals what must be readable again (webhook secrets, links in waiting mails): AES-256-GCM, one nonce a text. */
export interface Vault {
  seal(text: string): string;
  /** @throws when the text was sealed with another key, or changed */
  open(sealed: string): string;
  /** Tells keys apart without telling the key; stored in the database to notice a swapped one. */
  fingerprint: string;
}

const VERSION = "v1";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** @param key 32 bytes */
export function openVault(key: Buffer): Vault {
  if (key.length !== 32) throw new Error("The vault's key must have 32 bytes.");
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key, nonce);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${VERSION}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url")}`;
    },
    open(sealed) {
      const [version, body] = sealed.split(".");
      if (version !== VERSION || !body) throw new Error("This is not a sealed text.");
      const bytes = Buffer.from(body, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    },
    fingerprint: createHash("sha256").update("frontdesk vault key").update(key).digest("hex").slice(0, 16),
  };
}
