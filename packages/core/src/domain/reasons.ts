/**
 * Why something is refused, by name: one sentence each, with its values in braces. The REST API and the tools answer with the
 * sentence alone; the private APIs send name and values as well, and the dashboard translates by them
 * (docs/decisions/0042-one-http-contract.md). A name or a value that is renamed is renamed in the dashboard's `texts/reason-texts.ts`.
 */

/** A request that is refused as a whole. */
const wholeText = {
  "not-authenticated": "The API key is missing or invalid.",
  "no-token": "The bearer token is missing or invalid.",
  "no-session": "Please sign in.",
  "introduce-again": "Please introduce the visitor again.",
  "wrong-sign-in": "The e-mail or the password is not right.",
  "not-allowed": "This API key may not do this.",
  role: "Your role may not do this.",
  "access-off": "API access is switched off for this account.",
  "agent-deactivated": "The agent of this API key is deactivated.",
  "lacks-scopes": "This API key may not {what}. It lacks: {scopes}.",
  "visitor-blocked": "You cannot write here any more.",
  "contact-blocked": "This contact is blocked.",
  "assistant-inactive": "The assistant is not active any more.",
  "connection-creator-deactivated":
    "The agent who created this connection is deactivated. An admin can make it a new token.",
  "connection-not-live": "This connection is not live: it is paused, or nothing is left that it may see.",
  "lacks-permission": "This connection does not have the {permission} permission ({label}). An admin can grant it.",
  "read-only-address": "This address only reads. The tools that change something are served at /mcp.",
  "no-agent-matches": "No agent's name or e-mail matches agent_query.",
  invalid: "Some fields are not valid.",
  "file-too-large": "The file is too large. A file may have at most {max} MB.",
  "rate-limited": "Too many requests. Please wait a moment and try again.",
  unavailable: "The service cannot reach its storage. Please try again shortly.",
  "team-busy": "Too much is sent to this team at the moment. Please try again later.",
  "no-room-for-messages": "There is no room for messages at the moment. Please try again later.",
  "no-room-for-files": "No more files can be taken at the moment. Please try again later.",
  "reply-overtaken": "Somebody of your team has replied meanwhile.",
} as const;

/** What was not found. */
const notFoundText = {
  "not-found.contact": "Contact not found.",
  "not-found.conversation": "Conversation not found.",
  "not-found.widget": "Widget not found.",
  "not-found.channel": "Channel not found.",
  "not-found.agent": "Agent not found.",
  "not-found.assignment": "This agent is not assigned to the conversation.",
  "not-found.tag": "Tag not found.",
  "not-found.custom-data": "Custom data not found.",
  "not-found.custom-field": "Custom field not found.",
  "not-found.article": "Article not found.",
  "not-found.webhook": "Webhook not found.",
  "not-found.delivery": "Delivery not found.",
  "not-found.api-key": "API key not found.",
  "not-found.assistant": "Assistant not found.",
  "not-found.tool": "There is no such tool.",
  "not-found.team": "Team not found.",
  "not-found.file": "Nothing is at this address.",
  "not-found.invitation": "This invitation is not valid any more. Please ask for a new one.",
  "not-found.session": "This session has ended already.",
  "not-found.password-reset": "This link is not valid any more. Please ask for a new one.",
  "not-found.canned-reply": "Canned reply not found.",
  "not-found.saved-view": "Saved view not found.",
} as const;

/** What prevents an assistant's reply or note, and what to do about it. */
const obstacleText = {
  "obstacle.blocked": "This visitor is blocked. Nothing can be sent to them.",
  "obstacle.resolved": "This conversation is resolved. Reopen it first: unresolve-conversation.",
  "obstacle.handed-over": "A human was asked to take over this conversation.",
  "obstacle.no-agent": "No agent is configured for this connection, so it cannot reply. An admin can choose one.",
  "obstacle.no-author": "The user who made this connection has no agent profile any more, so it cannot add notes.",
} as const;

/** A request that HTTP itself refuses, or that cannot be parsed. */
const httpText = {
  "http.fault": "Something went wrong on our side. Please try again.",
  "http.stopping": "The server is stopping. Try again in a moment.",
  "http.no-such-address": "Nothing is at this address.",
  "http.no-such-part": "There is nothing at this address.",
  "http.other-methods": "This address takes {methods}.",
  "http.only-websockets": "This address takes WebSockets.",
  "http.unreadable": "The request could not be read. Please check its JSON and its encoding.",
  "http.body-too-large": "The request is too large. A body may hold at most 1 MiB.",
  "http.not-json": "The body must be application/json in UTF-8.",
  "http.too-many-parts": "The body has too many fields or items.",
  "http.too-deep": "The body is nested too deeply.",
  "http.batch-too-long": "A batch holds at most {max} messages.",
  "http.own-page-only": "This can only be done from a page of this Frontdesk.",
  "http.foreign-host": "This host name is not ours. The operator sets it with PUBLIC_URL.",
  "http.foreign-page": "Requests from pages of this origin are not taken.",
} as const;

/** A field that breaks a rule of its schema; named as the keyword of JSON Schema, where there is one. */
const schemaText = {
  "schema.required": "This field is required.",
  "schema.type": "Must be {types}.",
  "schema.enum": "Must be one of {choices}.",
  "schema.empty": "Must not be empty.",
  "schema.min-length": "Must have at least {min} characters.",
  "schema.max-length": "Must have at most {max} characters.",
  "schema.minimum": "Must be at least {min}.",
  "schema.maximum": "Must be at most {max}.",
  "schema.min-items": "Must have at least {min} items.",
  "schema.max-items": "Must have at most {max} items.",
  "schema.min-properties": "Must have at least one field.",
  "schema.additional-property": "There is nothing of this name.",
  "schema.web-url": "Must be an http or https URL.",
  "schema.pattern": "Has a wrong form; the reference tells which is right.",
  "schema.email": "Must be an e-mail address.",
  "schema.uuid": "Must be a UUID.",
  "schema.time": "Must be an ISO 8601 time, 2026-11-20T12:00:00Z.",
  "schema.other": "Is not valid: {rule}.",
} as const;

/** A field whose value the product does not accept. */
const fieldText = {
  "field-twice": "This field is there twice.",
  "unstorable-text": "This text holds characters that cannot be stored.",
  "nothing-to-change": "Please send at least one of {fields}.",
  empty: "Please fill this in.",
  "control-characters": "Please leave out control characters.",
  "too-long": "Please use at most {max} characters.",
  "not-an-email": "Please write an e-mail address, such as ada@example.com.",
  "past-page": "Must be the `next` of the page before.",
  "no-such-place": "Please pass the `next` of an earlier answer.",
  "not-a-whole-number": "Must be a whole number.",
  "not-a-time": "Must be an ISO 8601 time, such as 2026-11-20T12:00:00Z.",
  "tool-list-format": "Must be mcp or openai.",
  "idempotency-key-form": "Must be a text of {min} to {max} plain characters.",
  "idempotency-key-reused": "This key was used for another request.",

  "password-too-short": "Please choose a password of at least {min} characters.",
  "password-too-long": "Please choose a password of at most {max} characters.",
  "password-guessable": "This password is too easy to guess. Please choose another one.",
  "password-personal": "Please choose a password that is not your name, e-mail or team.",
  "wrong-password": "This is not your password.",
  "cannot-sign-in": "This person cannot sign in.",
  "setup-over": "This set-up address does not work any more.",
  "email-has-account": "This e-mail already has an account.",

  "no-such-agent": "There is no such agent in your team.",
  "no-such-key-owner": "There is no such agent in the team.",
  "other-agent": "You can only do this in your own name.",
  "last-owner": "This is the team's last owner. Please make somebody else an owner first.",
  "not-invited": "Only somebody who is invited and has not joined gets a new link.",
  "in-team-already": "Somebody with this e-mail is already in the team.",
  "email-twice": "This e-mail is in the list twice.",
  "agent-missing": "Please name the agent who sends this.",
  "agent-or-query": "Please give agent_id or agent_query.",

  "name-taken": "There is one of this name already.",
  "tag-name-taken": "There is a tag of this name already.",
  "tag-name-taken-mergeable": "There is a tag of this name already. The two can be made one.",
  "field-name-taken": "There is a field of this name already.",
  "too-many-saved-views": "There are {max} of them already.",
  "preferences-too-large": "This is more than can be kept.",

  "message-empty": "Please send content or at least one attachment.",
  "message-id-taken": "Another message has this id.",
  "conversation-resolved": "This conversation is resolved. Please reopen it first.",
  "conversation-not-resolved": "This conversation has not been resolved yet.",
  "snooze-time": "Must be a time to come, within a year.",
  "snooze-until": "Please say until when: a time, or the visitor's reply.",
  "visitor-wrote-meanwhile": "The visitor has written meanwhile.",
  "message-cursor":
    'Must be a number in a text, such as "41": the next_before_sort_number of an earlier answer. Leave it out for the newest messages.',

  "file-empty": "The file is empty.",
  "too-many-waiting-files": "Too many files wait for a message already. Please send a message with them first.",
  "not-a-sent-file": "Must be the address of a file that was sent from here.",
  "not-an-image": "Must be an image.",

  "key-expired": "This is over. The key would never work.",
  "scopes-above-role": "The role of this key's agent does not allow: {scopes}.",
  "no-such-names": "There is no {names}.",
  "account-connected": "This account is connected already.",
  "no-such-widget": "There is no such widget in your team.",
  "connection-revoked": "This connection is revoked. Make a new one.",
  "confirmation-over": "This confirmation is not valid, or is over. Call again without it to get a new one.",
  "confirmation-mismatch":
    "This confirmation was given for something else. Repeat exactly what was confirmed, or call again without it.",
  "drafts-unsearched": "Drafts are not searched. Please leave out search or status.",
  "no-waiting-secret": "There is no new secret that waits. Make one with rotate.",
  "webhook-off": "This subscription is switched off. Set its is_active to true first.",
  "not-an-endpoint": "Please send an https URL without a user name or password.",

  "identity-payload": "Its payload cannot be read as JSON, or holds characters that cannot be stored.",
  "identity-not-object": "Its payload must be a JSON object.",
  "identity-not-signed": "It must be a JWT, signed with HS256 and the identity secret of this widget.",
  "identity-expired": "This identity has expired. Please ask your server for a new one.",
  "identity-no-end": "It must say when it ends: exp, in seconds.",
  "identity-too-long": "It may last 24 hours at most: exp lies further ahead.",
  "identity-too-early": "It does not count yet: nbf lies ahead.",

  "widget-color": "Please write the color as #rrggbb.",
  "widget-choice": "Please choose one of {choices}.",
  "widget-language": 'The widget does not speak "{language}".',
  "widget-greeting": "A greeting has at most {max_title} characters in its title and {max_text} in its text.",
  "widget-too-many-sites": "A widget has at most {max} sites.",
  "widget-site": '"{site}" is no origin such as https://www.example.com.',
  "widget-too-many-fields": "Pages may set at most {max} fields.",
  "widget-field-name": "The name of a field is one line of 1 to {max} characters, without spaces around it.",
  "hours-timezone": '"{timezone}" is no time zone such as Europe/Berlin.',
  "hours-day": '"{day}" is none of the days {days}.',
  "hours-too-many": "{day}: A day has at most {max} opening times.",
  "hours-time": '{day}: "{time}" is no time from 00:00 to 24:00.',
  "hours-backwards":
    "{day}: {from}-{to} ends before it begins. A night is two times: until 24:00, and from 00:00 of the next day.",
  "hours-overlap": "{day}: Two opening times overlap.",
  "hours-too-many-closed": "There are at most {max} closed dates.",
  "hours-closed-date": '"{date}" is no date such as 2026-12-25.',
} as const;

export const reasonText = {
  ...wholeText,
  ...notFoundText,
  ...obstacleText,
  ...httpText,
  ...schemaText,
  ...fieldText,
} as const;

export type ReasonName = keyof typeof reasonText;

type Places<Text extends string> = Text extends `${string}{${infer Place}}${infer Rest}` ? Place | Places<Rest> : never;

/** The values that the sentence of a reason needs. */
type ValuesOf<Name extends ReasonName> = { readonly [Place in Places<(typeof reasonText)[Name]>]: string | number };

/** The reasons whose sentence has no values. */
export type PlainReasonName = {
  [Name in ReasonName]: Places<(typeof reasonText)[Name]> extends never ? Name : never;
}[ReasonName];

/** A reason with its values. */
export interface NamedReason {
  readonly name: ReasonName;
  readonly values?: Readonly<Record<string, string | number>>;
}

/** A reason where something is refused: without values its name is enough. */
export type GivenReason = PlainReasonName | NamedReason;

/** `because("too-long", { max: 100 })` */
export function because<Name extends ReasonName>(name: Name, values: ValuesOf<Name>): NamedReason {
  return { name, values };
}

export function namedReason(given: GivenReason): NamedReason {
  return typeof given === "string" ? { name: given } : given;
}

/** The sentence of a reason, in English. */
export function sentenceOf(given: GivenReason): string {
  const { name, values = {} } = namedReason(given);
  return reasonText[name].replace(/\{(\w+)\}/g, (_place, value: string) => String(values[value]));
}
