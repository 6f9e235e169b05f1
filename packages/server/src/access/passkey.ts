/** What authenticators have signed, checked by `@simplewebauthn/server` (docs/decisions/0069-ways-in.md). */
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { PasskeyRow } from "../storage/tables.ts";
import type { RelyingParty } from "./relying-party.ts";
import { teamOfHandle } from "./user-handle.ts";

/** 256 bits (ASVS 6.7.2). */
export const CHALLENGE_BYTES = 32;
/** How long the browser may ask for the finger, the face or the PIN. */
export const CHALLENGE_LIFE_MS = 5 * 60_000;

/** Ed25519, ES256 and RS256: what authenticators can. The library would ask the runtime for more, which warns of experiments. */
const ALGORITHMS = [-8, -7, -257];

/** For `navigator.credentials.create`. */
export function creationOptions(
  { id }: RelyingParty,
  {
    email,
    name,
    userHandle,
    challenge,
    passkeys,
  }: {
    email: string;
    name: string | null;
    userHandle: string;
    challenge: Buffer;
    passkeys: readonly Pick<PasskeyRow, "credential_id" | "transports">[];
  },
) {
  return generateRegistrationOptions({
    rpID: id,
    rpName: "Frontdesk",
    userID: plain(Buffer.from(userHandle, "base64url")),
    userName: email,
    userDisplayName: name ?? email,
    challenge: plain(challenge),
    timeout: CHALLENGE_LIFE_MS,
    attestationType: "none",
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: JSON.parse(transports),
    })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
}

/** For `navigator.credentials.get`: a passkey of any agent at this host. */
export function requestOptions({ id }: RelyingParty, challenge: Buffer) {
  return generateAuthenticationOptions({
    rpID: id,
    challenge: plain(challenge),
    timeout: CHALLENGE_LIFE_MS,
    userVerification: "required",
  });
}

export interface NewPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: readonly string[];
  isSynced: boolean;
}

/** A new passkey that was signed for the challenge, with its user verified; undefined for anything else. */
export async function readNewPasskey(
  { id, origin }: RelyingParty,
  response: unknown,
  challenge: string,
): Promise<NewPasskey | undefined> {
  const checked = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch(() => undefined);
  if (!checked?.verified) return undefined;
  const { credential, credentialBackedUp } = checked.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString("base64url"),
    counter: credential.counter,
    transports: credential.transports ?? [],
    isSynced: credentialBackedUp,
  };
}

/** Which passkey an answer claims to be from. */
export function claimedPasskey(
  response: unknown,
): { teamId: string; credentialId: string; userHandle: string } | undefined {
  const { id, response: signed } = response as Partial<AuthenticationResponseJSON>;
  const userHandle = signed?.userHandle;
  const teamId = teamOfHandle(userHandle);
  return teamId !== undefined && typeof id === "string" && userHandle !== undefined
    ? { teamId, credentialId: id, userHandle }
    : undefined;
}

/** What the passkey has signed for the challenge, with its user verified; undefined for anything else. */
export async function readAssertion(
  { id, origin }: RelyingParty,
  response: unknown,
  challenge: string,
  passkey: PasskeyRow,
): Promise<{ counter: number; isSynced: boolean } | undefined> {
  const checked = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    // A counter that falls is for the operation to judge: it is noted, and locks no agent out.
    credential: {
      id: passkey.credential_id,
      publicKey: plain(Buffer.from(passkey.public_key, "base64url")),
      counter: 0,
    },
  }).catch(() => undefined);
  if (!checked?.verified) return undefined;
  const { newCounter, credentialBackedUp } = checked.authenticationInfo;
  return { counter: newCounter, isSynced: credentialBackedUp };
}

/** A copy that shares no memory. */
const plain = (bytes: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);
