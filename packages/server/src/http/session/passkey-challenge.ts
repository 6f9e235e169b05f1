import type { FastifyReply, FastifyRequest } from "fastify";
import { CHALLENGE_BYTES, CHALLENGE_LIFE_MS } from "../../access/passkey.ts";
import type { Vault } from "../../access/vault.ts";
import type { OwnCookie } from "./session-cookie.ts";

/** What a browser was asked to sign. It is sealed in a cookie: nothing is stored for people who only look at the sign-in page. */
export interface PasskeyChallenge {
  /** base64url */
  challenge: string;
  /** Of a new passkey: whose it becomes, and its user handle. */
  adds?: { agentId: string; userHandle: string } | undefined;
  endsAt: number;
}

export interface PasskeyChallenges {
  begin(request: FastifyRequest, reply: FastifyReply, adds?: PasskeyChallenge["adds"]): Buffer;
  /** The challenge of the browser; undefined for none, and one that has ended. */
  read(request: FastifyRequest): PasskeyChallenge | undefined;
}

const PLACE = { column: "passkey-challenge", teamId: "", id: "" } as const;

export function passkeyChallenges({
  cookie,
  vault,
  now,
  random,
}: {
  cookie: OwnCookie;
  vault: Vault;
  now(): number;
  random(bytes: number): Buffer;
}): PasskeyChallenges {
  return {
    begin(request, reply, adds) {
      const bytes = random(CHALLENGE_BYTES);
      const begun: PasskeyChallenge = {
        challenge: bytes.toString("base64url"),
        ...(adds && { adds }),
        endsAt: now() + CHALLENGE_LIFE_MS,
      };
      cookie.set(request, reply, vault.seal(JSON.stringify(begun), PLACE));
      return bytes;
    },
    read(request) {
      const sealed = cookie.read(request);
      const begun = sealed === undefined ? undefined : opened(sealed);
      return begun && begun.endsAt > now() ? begun : undefined;
    },
  };

  function opened(sealed: string): PasskeyChallenge | undefined {
    try {
      return JSON.parse(vault.open(sealed, PLACE));
    } catch {
      return undefined;
    }
  }
}
