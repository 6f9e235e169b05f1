import { Readable } from "node:stream";
import { type ChannelReason, channelReason, type DeliveryReasonName } from "@frontdesk/core/domain/channel-reason";
import SMTPConnection, {
  type SMTPConnectionAuth,
  type SMTPConnectionOptions,
  type SMTPConnectionSendInfo,
} from "nodemailer/lib/smtp-connection";
import XOAuth2 from "nodemailer/lib/xoauth2";
import { BlockedAddress, NameNotFound } from "../../outbound/vetted-lookup.ts";
import type { VettedSockets } from "../../outbound/vetted-socket.ts";
import { SocketTimeout, UnencryptedNotAllowed } from "../../outbound/vetted-socket.ts";
import { meaningOf, readableAnswer, serverSays } from "./smtp-answer.ts";

/** The whole session; a mail handed over is `unknown` when it has not been answered by then. */
export const SESSION_TIMEOUT_MS = 40_000;
/** For the server's greeting, and for any later silence. */
const SILENCE_TIMEOUT_MS = 30_000;
/** An answer that is longer ends the session. */
const ANSWER_MAX_BYTES = 64 * 1024;
/** When an account in trouble is tried again by the next mail. */
export const TROUBLE_WAIT_MS = 5 * 60_000;

/** The server that a mail is given to. */
export type MailServerAccess =
  | {
      kind: "own";
      host: string;
      port: number;
      security: "tls" | "starttls" | "none";
      username: string | null;
      password: string | null;
      /** In place of the password (XOAUTH2). */
      accessToken?: string | undefined;
    }
  /** The installation's SMTP_URL: chosen by the operator, so that its address is not vetted. */
  | {
      kind: "installation";
      host: string;
      port: number;
      secure: boolean;
      requireTls: boolean;
      username: string;
      password: string;
    };

export interface MailToSend {
  /** The envelope's sender and recipients: vetted addresses (`rules/mail-address.ts`), without names. */
  from: string;
  to: readonly [string, ...string[]];
  raw: Uint8Array;
}

export type RecipientResult =
  | { address: string; state: "sent" }
  | { address: string; state: "refused" | "later"; reason: SendingReason };

export type SendingReason = ChannelReason<DeliveryReasonName>;

/**
 * The result of a session.
 * - `answered`: the server has said what it does for each recipient
 * - `retry`: nothing was handed over
 * - `trouble`: the account cannot send at all, whatever the mail; nothing was handed over
 * - `pause`: the account has sent too much; nothing was handed over
 * - `unknown`: the mail was handed over, and perhaps taken
 * - `aborted`: the signal ended the session before the mail was handed over
 */
export type SmtpResult =
  | { outcome: "answered"; recipients: RecipientResult[]; response: string; serverMessageId: string | null }
  | { outcome: "retry"; reason: SendingReason }
  | { outcome: "trouble"; state: "needs-sign-in" | "failing"; reason: SendingReason; afterMs: number }
  | { outcome: "pause"; reason: SendingReason; afterMs: number }
  | { outcome: "unknown"; reason: SendingReason }
  | { outcome: "aborted" };

/**
 * Where a session is. nodemailer reports the same error for a connection that is lost before and after the final dot, so the
 * phase is read from the stream of the message: when its last byte has been read, the dot follows.
 *
 * ```
 * connecting --> signing-in --> envelope --(the stream has begun)--> data --(the stream has ended)--> handed-over
 *     '--------------'--------------'-- lost: certainly not sent --'             lost: unknown --'
 * ```
 */
type Phase = "connecting" | "signing-in" | "envelope" | "data" | "handed-over";

/** Gives one mail to a server, in a session of its own. Never rejects because of the server. */
export async function sendBySmtp(
  { access, sockets, mail }: { access: MailServerAccess; sockets: VettedSockets; mail: MailToSend },
  signal: AbortSignal,
): Promise<SmtpResult> {
  if (signal.aborted) return { outcome: "aborted" };
  const timeout = AbortSignal.timeout(SESSION_TIMEOUT_MS);
  const end = AbortSignal.any([signal, timeout]);
  let phase: Phase = "connecting";
  let connection: SMTPConnection | undefined;
  try {
    connection = new SMTPConnection(await optionsFor(access, sockets, end));
    const open = connection;
    const broken = new Promise<never>((_, reject) => open.on("error", reject));
    broken.catch(() => {});
    const ended = abortion(end);
    ended.catch(() => {});
    const step = <T>(begin: (done: (error?: Error | null, value?: T) => void) => void) =>
      Promise.race([callback(begin), broken, ended]);
    await step((done) => open.connect(done));
    if (access.username) {
      phase = "signing-in";
      await step((done) => open.login(authOf(access, access.username ?? ""), done));
    }
    phase = "envelope";
    const message = Readable.from(
      chunksOf(mail.raw, () => (phase = "data")),
      { objectMode: false },
    );
    message.once("end", () => (phase = "handed-over"));
    const info = await step<SMTPConnectionSendInfo>((done) =>
      open.send({ from: mail.from, to: [...mail.to], size: mail.raw.length }, message, done),
    );
    open.quit();
    return answered(mail, info as SMTPConnectionSendInfo);
  } catch (error) {
    connection?.close();
    return resultOf(error as SmtpError, { phase, mail, aborted: signal.aborted });
  }
}

interface SmtpError extends Error {
  code?: string;
  /** The code of the system or of TLS, where nodemailer has given the error one of its own. */
  originalCode?: string;
  response?: string;
  responseCode?: number;
  command?: string;
  rejectedErrors?: readonly (SmtpError & { recipient?: string })[];
}

function authOf(access: MailServerAccess, user: string): SMTPConnectionAuth {
  const accessToken = access.kind === "own" ? access.accessToken : undefined;
  return accessToken === undefined
    ? { credentials: { user, pass: access.password ?? "" } }
    : { user, oauth2: new XOAuth2({ user, accessToken }) };
}

async function optionsFor(
  access: MailServerAccess,
  sockets: VettedSockets,
  signal: AbortSignal,
): Promise<SMTPConnectionOptions> {
  const limits = {
    connectionTimeout: SILENCE_TIMEOUT_MS,
    greetingTimeout: SILENCE_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    maxResponseSize: ANSWER_MAX_BYTES,
    logger: false,
  };
  const { host, port } = access;
  if (access.kind === "installation") {
    return { ...limits, host, port, secure: access.secure, requireTLS: access.requireTls };
  }
  const { security } = access;
  const socket = await sockets.connect({ host, port, security, signal });
  return {
    ...{ ...limits, host, port, connection: socket },
    ...{ secure: security === "tls", secured: security === "tls" },
    ...{ requireTLS: security === "starttls", ignoreTLS: security === "none" },
    tls: sockets.tlsOptions(host),
  };
}

function answered({ to }: MailToSend, info: SMTPConnectionSendInfo): SmtpResult {
  const refusals = refusalsOf(info.rejectedErrors as SmtpError["rejectedErrors"]);
  return {
    outcome: "answered",
    recipients: to.map((address) => refusals.get(address) ?? { address, state: "sent" }),
    response: readableAnswer(info.response),
    serverMessageId: info.serverMessageId ?? null,
  };
}

/** What the server has said about each recipient that it did not take. */
function refusalsOf(errors: SmtpError["rejectedErrors"] = []): Map<string, RecipientResult> {
  return new Map(
    errors.flatMap(({ recipient, response = "" }) => {
      if (recipient === undefined) return [];
      const state = meaningOf(response).means === "refused" ? ("refused" as const) : ("later" as const);
      return [[recipient, { address: recipient, state, reason: serverSays(response) }] as const];
    }),
  );
}

function resultOf(
  error: SmtpError,
  { phase, mail, aborted }: { phase: Phase; mail: MailToSend; aborted: boolean },
): SmtpResult {
  // An answer to the dot says what became of the mail; 421 too: the server has not taken it.
  if (phase === "handed-over" && error.responseCode === undefined) {
    return { outcome: "unknown", reason: channelReason("smtp.lost") };
  }
  if (aborted && error.responseCode === undefined) return { outcome: "aborted" };
  const response = error.response ?? "";
  const reason = serverSays(response);
  if (phase === "signing-in" || error.code === "EAUTH") return signInResult(error, reason);
  if (error.responseCode === 530) return lacking(response);
  const trouble = troubleOf(error, phase);
  if (trouble) return { outcome: "trouble", state: "failing", reason: trouble, afterMs: TROUBLE_WAIT_MS };
  if (response === "") return { outcome: "retry", reason: lostReason(error) };
  const meaning = meaningOf(response);
  if (meaning.means === "pause") return { outcome: "pause", reason, afterMs: meaning.ms };
  // A server that greets with 5xx takes no mails at all: it says nothing about this one.
  if (phase === "connecting") return { outcome: "retry", reason };
  const state = meaning.means === "refused" ? "refused" : "later";
  const refusals = refusalsOf(error.rejectedErrors);
  const recipients = mail.to.map((address) => refusals.get(address) ?? ({ address, state, reason } as const));
  return { outcome: "answered", recipients, response: readableAnswer(response), serverMessageId: null };
}

/** Signing in: 4xx passes, anything else is for the admin. */
function signInResult(error: SmtpError, answer: SendingReason): SmtpResult {
  if (error.code !== "EAUTH" && error.response === undefined) return { outcome: "retry", reason: lostReason(error) };
  if (/^4/.test(error.response ?? "")) return { outcome: "retry", reason: answer };
  const reason = readableAnswer(error.response ?? "") === "" ? channelReason("smtp.sign-in-kind") : answer;
  return { outcome: "trouble", state: "needs-sign-in", reason, afterMs: TROUBLE_WAIT_MS };
}

/** 530 says what the session lacks, whatever the mail is: encryption (RFC 3207) or a sign-in (RFC 4954). */
function lacking(response: string): SmtpResult {
  const state = /\btls|starttls/i.test(readableAnswer(response)) ? "failing" : "needs-sign-in";
  return { outcome: "trouble", state, reason: serverSays(response), afterMs: TROUBLE_WAIT_MS };
}

const TLS_ERRORS = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_)/;

/** What keeps the account from sending anything; undefined when it is about this attempt alone. */
function troubleOf(error: SmtpError, phase: Phase): SendingReason | undefined {
  if (phase !== "connecting") return undefined;
  if (error instanceof BlockedAddress) return channelReason("smtp.blocked");
  if (error instanceof UnencryptedNotAllowed) return channelReason("smtp.unencrypted");
  const isTls = [error.code, error.originalCode].some((code = "") => code === "ETLS" || TLS_ERRORS.test(code));
  return isTls ? channelReason("smtp.tls") : undefined;
}

function lostReason(error: SmtpError): SendingReason {
  if (error instanceof NameNotFound) return channelReason("smtp.no-host");
  if (error instanceof SocketTimeout || error.code === "ETIMEDOUT" || error.name === "TimeoutError") {
    return channelReason("smtp.timeout");
  }
  return channelReason("smtp.away");
}

function callback<T>(begin: (done: (error?: Error | null, value?: T) => void) => void): Promise<T | undefined> {
  return new Promise((resolve, reject) => begin((error, value) => (error ? reject(error) : resolve(value))));
}

function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

const CHUNK_BYTES = 64 * 1024;

function* chunksOf(raw: Uint8Array, onBegin: () => void): Generator<Uint8Array> {
  onBegin();
  for (let from = 0; from < raw.length; from += CHUNK_BYTES) yield raw.subarray(from, from + CHUNK_BYTES);
}
