/**
 * An authenticator in software (WebAuthn, level 3): it makes passkeys and signs with them, also what no real one would sign. The
 * stories use Chromium's own.
 */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";

/** What an answer says; the defaults are right. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  userVerified?: boolean;
  userHandle?: string;
  counter?: number;
  credentialId?: string;
  /** Signs with another key. */
  key?: KeyObject;
}

interface Options {
  challenge: string;
  rpId?: string;
  rp?: { id: string };
  user?: { id: string };
}

export interface PasskeyDevice {
  credentialId: string;
  create(options: Options, forgery?: Forgery): object;
  sign(options: Options, forgery?: Forgery): object;
}

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export function passkeyDevice(origin: string): PasskeyDevice {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(16);
  let userHandle = "";
  let counter = 0;

  return {
    credentialId: id.toString("base64url"),
    create(options, forgery = {}) {
      userHandle = options.user?.id ?? "";
      const { x = "", y = "" } = publicKey.export({ format: "jwk" });
      // COSE: EC2, ES256, P-256.
      const cose = Buffer.concat([
        Buffer.from("a5010203262001215820", "hex"),
        Buffer.from(x, "base64url"),
        Buffer.from("225820", "hex"),
        Buffer.from(y, "base64url"),
      ]);
      const credential = Buffer.concat([Buffer.alloc(16), length(id), id, cose]);
      const authData = Buffer.concat([head(options.rp?.id ?? "", HAS_CREDENTIAL, 0, forgery), credential]);
      // {fmt: "none", attStmt: {}, authData}
      const attestationObject = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
        Buffer.from([0x59]),
        length(authData),
        authData,
      ]);
      return {
        ...of(forgery),
        response: {
          clientDataJSON: clientData("webauthn.create", options, forgery).toString("base64url"),
          attestationObject: attestationObject.toString("base64url"),
          transports: ["internal"],
        },
      };
    },
    sign(options, forgery = {}) {
      counter += 1;
      const data = clientData("webauthn.get", options, forgery);
      const authData = head(options.rpId ?? "", 0, forgery.counter ?? counter, forgery);
      const signed = createSign("sha256").update(authData).update(sha256(data));
      return {
        ...of(forgery),
        response: {
          clientDataJSON: data.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: signed.sign(forgery.key ?? privateKey).toString("base64url"),
          userHandle: forgery.userHandle ?? userHandle,
        },
      };
    },
  };

  function of({ credentialId = id.toString("base64url") }: Forgery) {
    return { id: credentialId, rawId: credentialId, type: "public-key", clientExtensionResults: {} };
  }

  function clientData(type: string, { challenge }: Options, forgery: Forgery): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: forgery.type ?? type,
        challenge: forgery.challenge ?? challenge,
        origin: forgery.origin ?? origin,
        crossOrigin: false,
      }),
    );
  }
}

function head(rpId: string, flags: number, counter: number, forgery: Forgery): Buffer {
  const verified = forgery.userVerified === false ? 0 : USER_VERIFIED;
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([
    sha256(Buffer.from(forgery.rpId ?? rpId)),
    Buffer.from([flags | USER_PRESENT | verified]),
    count,
  ]);
}

function length({ length: bytes }: Buffer): Buffer {
  const written = Buffer.alloc(2);
  written.writeUInt16BE(bytes);
  return written;
}

const sha256 = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();
