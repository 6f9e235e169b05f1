/**
 * Whose chat is shown. The data of an identified visitor (token, outbox) has its own storage keys, apart from an anonymous
 * visitor's: what an identified visitor has said is accessible only from a page that identifies them
 * (docs/decisions/0021-the-widget.md).
 *
 *   anonymous  --identify(), a token of theirs is stored--> asking, still anonymous
 *              --identify(), none is stored---------------> asking, with all that the anonymous visitor had
 *   asking     --taken------------------------------------> identified
 *              --refused----------------------------------> anonymous, with what they had
 *              --no answer--------------------------------> asking, after a wait
 *   identified --session expired (401, 4001)--------------> anonymous, `expired`
 *              --identify() of another visitor------------> anonymous, asking
 *   any        --forget()---------------------------------> anonymous, with nothing
 *
 * What the service has accepted, by its stored fingerprint, is not sent again. What the page says of an anonymous visitor who
 * has not written is sent with their first message.
 */
import type { IDENTITY_EXPIRED } from "@frontdesk/core/contract/visitor";
import { type ChatContext, change } from "./chat-context.ts";
import { retryLater } from "./clock.ts";
import { newVisitorToken } from "./new-ids.ts";
import type { UploadAnswer } from "./upload.ts";
import {
  isRefusal,
  UNANSWERED,
  type VisitorAnswer,
  type VisitorInput,
  type VisitorOperationName,
} from "./visitor-requests.ts";
import { fingerprintOf, type IdentifyDetails, moveStored, storageKeyOf } from "./visitor-storage.ts";

const UNAUTHORIZED = 401;
const EXPIRED: typeof IDENTITY_EXPIRED = "identity.exp";

type Answer = VisitorAnswer<VisitorOperationName> | UploadAnswer;
type Introduced = VisitorAnswer<"introduce"> | undefined;

/** The visitor's credential for the service; empty before the first message. */
export function storedToken({ values, storageKey }: ChatContext, key = storageKey): string {
  return values.get(`${key}:token`) ?? "";
}

/** The token, generated when there is none: with the first message, by only one tab where there are locks. */
export function tokenToWriteWith(chat: ChatContext): string {
  const token = storedToken(chat) || newVisitorToken();
  chat.values.set(`${chat.storageKey}:token`, token);
  return token;
}

/** Sends a request as this visitor, and leaves the identity when the answer says that it has expired. */
export async function ask<Name extends VisitorOperationName>(
  chat: ChatContext,
  operation: Name,
  input: VisitorInput<Name>,
  token = storedToken(chat),
): Promise<VisitorAnswer<Name>> {
  if (!token) return UNANSWERED;
  const answer = await chat.request(token, operation, input);
  checkExpiry(chat, answer, token);
  return answer;
}

/** Does the latter for an answer that came another way. */
export function checkExpiry(chat: ChatContext, answer: Answer, token: string): void {
  if (isExpired(answer) && token === storedToken(chat)) endIdentity(chat);
}

/** The session is known, and has expired (`visitorOperations.introduce`). */
export function isExpired(answer: Answer): boolean {
  return !answer.ok && answer.status === UNAUTHORIZED && answer.body.errors?.identity !== undefined;
}

/** The session has expired. */
export function endIdentity({ values, storageKey, anonymousKey, enter }: ChatContext): void {
  values.delete(`${storageKey}:introduced`);
  if (storageKey === anonymousKey) values.delete(`${storageKey}:token`);
  enter(anonymousKey, true);
}

/** What the page says of a visitor whom the service does not know yet: sent with their message. */
export function detailsToSend(chat: ChatContext): IdentifyDetails | undefined {
  return chat.state.contact ? undefined : chat.pageDetails;
}

/** The details were accepted with a message. Which custom data pages may not set is only in the answer to `identify`. */
export function detailsTaken(chat: ChatContext): void {
  const details = detailsToSend(chat);
  if (details && !details.data) chat.values.set(`${chat.storageKey}:introduced`, fingerprintOf(details));
}

/** One after another: of two concurrent requests the service may perform the older one last, and its values would stay. */
export function identify(chat: ChatContext, details: IdentifyDetails): Promise<Introduced> {
  const answer = identifyAfter(chat, details, chat.identifying);
  chat.identifying = answer;
  return answer;
}

async function identifyAfter(
  chat: ChatContext,
  details: IdentifyDetails,
  previous: Promise<unknown> | undefined,
): Promise<Introduced> {
  const { values, generation, anonymousKey } = chat;
  const { identity } = details;
  leaveAnother(chat, identity);
  if (previous) await previous;
  if (generation !== chat.generation) return undefined;
  chat.cancelIdentify?.();
  const key = leaveAnother(chat, identity);
  if (identity && identity === chat.refusedIdentity) return undefined;
  const fingerprint = fingerprintOf(details);
  if (values.get(`${key}:introduced`) === fingerprint) return take(chat, key);
  const hadToken = storedToken(chat, key);
  const waitingBefore = values.keys(`${anonymousKey}:outbox:`);
  if (identity && !hadToken) {
    // Before the request: if the answer is lost, the anonymous visitor's chat may be that person's already.
    moveStored(values, anonymousKey, key);
    chat.enter(key);
  }
  const token = storedToken(chat, key) || (identity && newVisitorToken());
  if (!token) return undefined;
  const answer = await ask(chat, "introduce", details, token);
  if (generation !== chat.generation) return undefined;
  if (!answer.ok && !isRefusal(answer.status)) {
    chat.cancelIdentify = retryLater(chat.clock, () => identify(chat, details));
    return answer;
  }
  chat.onIdentified(answer);
  if (answer.ok) {
    const { contact } = answer.body;
    if (contact) {
      values.set(`${key}:token`, token);
      values.set(`${key}:introduced`, fingerprint);
    }
    // Messages written during the request are theirs; those that waited before it are not.
    if (key !== chat.storageKey) moveStored(values, `${anonymousKey}:outbox`, `${key}:outbox`, waitingBefore);
    take(chat, key, contact);
  } else if (identity) {
    if (!hadToken) moveStored(values, key, anonymousKey);
    chat.refusedIdentity = identity;
    chat.enter(anonymousKey, EXPIRED in (answer.body.errors ?? {}));
  }
  return answer;
}

/** Resolves to the storage key of the person whom an identity names. A different identified visitor is left at once. */
function leaveAnother(chat: ChatContext, identity: string | undefined): string {
  const key = identity === undefined ? chat.storageKey : storageKeyOf(chat.anonymousKey, identity);
  if (key !== chat.storageKey && chat.storageKey !== chat.anonymousKey) chat.enter(chat.anonymousKey);
  return key;
}

/** The chat is theirs from now on. `contact`: given where the service has just named them. */
function take(chat: ChatContext, key: string, contact = chat.state.contact): undefined {
  if (key !== chat.storageKey || contact?.id !== chat.state.contact?.id) chat.enter(key, false);
  else change(chat, { contact, expired: false });
}
