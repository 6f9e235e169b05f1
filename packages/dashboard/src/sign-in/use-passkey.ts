/** Passkeys, as browsers have them (`@simplewebauthn/browser`). Loaded with the parts that need them. */
import {
  browserSupportsWebAuthn,
  browserSupportsWebAuthnAutofill,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";
import { askSession } from "../service/ask-session.ts";
import { ServiceError } from "../service/service-error.ts";
import { t } from "../texts/texts.ts";
import { problemText } from "../ui/problem-text.ts";

type Answer = Record<string, unknown>;

export const hasPasskeys = browserSupportsWebAuthn;
export const canSuggestPasskeys = browserSupportsWebAuthnAutofill;
export const stopAsking = () => WebAuthnAbortService.cancelCeremony();

export type Asked = PublicKeyCredentialRequestOptionsJSON;

/** What a passkey is to sign; undefined where there are none at this address. */
export async function askForSignature(): Promise<Asked | undefined> {
  const { options } = await askSession("beginPasskeySignIn");
  return options === null ? undefined : (options as unknown as Asked);
}

/**
 * What a passkey of the agent has signed.
 *
 * @param suggested in the list under the field for the e-mail, instead of a dialog of the browser
 */
export async function sign(asked: Asked, { suggested = false } = {}): Promise<Answer> {
  return (await startAuthentication({ optionsJSON: asked, useBrowserAutofill: suggested })) as unknown as Answer;
}

/** Makes a passkey on one of the agent's devices; resolves to the recovery codes that come with the first factor. */
export async function createPasskey(name: string): Promise<readonly string[]> {
  const { options } = await askSession("beginPasskey");
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = (await startRegistration({ optionsJSON })) as unknown as Answer;
  return (await askSession("addPasskey", { body: { name, response } })).recovery_codes;
}

/** What went wrong, in words: browsers do not say why no passkey was used. */
export function passkeyProblem(error: unknown): string {
  return error instanceof ServiceError ? problemText(error) : t("passkeys.cancelled");
}
