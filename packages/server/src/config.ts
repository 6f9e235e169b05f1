import { isIP } from "node:net";
import { resolve } from "node:path";
import { DEFAULT_RETRY_WAITS_MS } from "@frontdesk/core/domain/retry-schedule";
import type { ModelConnection } from "./ai/model/model-client.ts";
import { MB } from "./files/file.ts";
import type { S3Settings } from "./files/s3-files.ts";
import { isReadableSmtpUrl } from "./mail/smtp-url.ts";
import { OperatorError } from "./operator-error.ts";
import { readAddressRange } from "./outbound/address-range.ts";
import { isPublicAddress } from "./outbound/public-address.ts";

/** What the operator can choose, by environment variables (docs/guide; `NAME=value npm start`). */
export interface Settings {
  /** PORT; 0 takes any free one. */
  port: number;
  /** HOST: the address to listen on. */
  host: string;
  /** PUBLIC_URL: the public address for browsers and programs, without a slash at the end. */
  publicUrl: string;
  /** DATA_DIR, absolute. */
  dataDir: string;
  /** DATABASE_URL: PostgreSQL instead of the embedded database. */
  databaseUrl: string | undefined;
  /** REDIS_URL: where several processes share their rate limits; undefined: each counts for itself. */
  redisUrl: string | undefined;
  /** REDIS_TIMEOUT_MS: how long a request waits for Redis before this process counts for itself. */
  redisTimeoutMs: number;
  /** REST_RATE_LIMIT: requests a minute for each API key. */
  restRateLimit: number;
  /** TOOL_RATE_LIMIT: calls of tools a minute for each connection of an assistant. */
  toolRateLimit: number;
  /** VISITOR_BOUNDS_FACTOR: the factor for the bounds on visitors (`limits/stranger-bounds.ts`). */
  visitorBoundsFactor: number;
  /** WEBHOOK_ALLOWED_NETWORKS: private networks that webhooks may reach besides the internet. */
  webhookAllowedNetworks: readonly string[];
  /** CHANNEL_ALLOWED_NETWORKS: private networks that the servers of channel accounts may be in. */
  channelAllowedNetworks: readonly string[];
  /** OAUTH_CLIENT_DOCUMENTS: whether apps may be known by the address of their document, which is fetched. */
  oauthClientDocuments: boolean;
  /** SSO_ALLOWED_NETWORKS: private networks that the providers of single sign-on may be in. */
  ssoAllowedNetworks: readonly string[];
  /** AI_BASE_URL and the others: the language model of teams that choose none; undefined: they have to choose. */
  ai: ModelConnection | undefined;
  /** AI_ALLOWED_NETWORKS: private networks that the model servers of teams may be in. */
  aiAllowedNetworks: readonly string[];
  /** LMTP_PORT: where the operator's own mail server hands over mails; undefined: nowhere. */
  lmtpPort: number | undefined;
  /** LMTP_HOST: the address to listen on for it. */
  lmtpHost: string;
  /** WEBHOOK_RETRY_SECONDS: the waits after the first, second and third attempt, in ms. */
  webhookRetryWaits: readonly number[];
  /** TRUST_PROXY, as Fastify's `trustProxy` takes it. */
  trustProxy: TrustProxy;
  /** LOG_LEVEL */
  logLevel: LogLevel;
  /** SMTP_URL: the mail server; undefined: no mail is sent. */
  smtpUrl: string | undefined;
  /** MAIL_FROM: the sender of mail. */
  mailFrom: string;
  /** S3_BUCKET and the others: where files are stored; undefined: in DATA_DIR. */
  s3: S3Settings | undefined;
  /** UPLOAD_MAX_MB: the largest accepted file, in bytes. */
  uploadMaxBytes: number;
  /** SECRET_KEY: the vault's 32 bytes; undefined: stored in DATA_DIR (`access/secret-key.ts`). */
  secretKey: Buffer | undefined;
  /** SECRET_KEY_PREVIOUS: the previous key, which still opens what it has sealed (docs/decisions/0034). */
  previousSecretKey: Buffer | undefined;
}

/** Trust no proxy, all, these addresses, or the first so many hops. */
export type TrustProxy = boolean | string[] | ((address: string, hop: number) => boolean);

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Names of address ranges that Fastify knows. */
const PROXY_RANGES = ["loopback", "linklocal", "uniquelocal"];
const MAX_PORT = 65_535;
const MAX_RATE = 1_000_000;
const MAX_BOUNDS_FACTOR = 100;
const MAX_REDIS_TIMEOUT_MS = 60_000;
const MAX_HOPS = 32;
const MAX_UPLOAD_MB = 1_000;
const MAX_RETRY_SECONDS = 86_400;
const SECRET_KEY_BYTES = 32;
const MAX_MODEL_NAME = 200;

/**
 * Reads every setting. An empty value counts as not set.
 *
 * @throws OperatorError with all problems together, each with the setting's name, what is wrong and what would be right; a
 *   value that may hold a secret is not repeated
 */
export function readSettings(env: Readonly<Record<string, string | undefined>>): Settings {
  const problems: string[] = [];
  function read<T>(name: string, fallback: T, parse: (text: string) => T): T {
    const text = env[name]?.trim();
    if (!text) return fallback;
    try {
      return parse(text);
    } catch (error) {
      if (!(error instanceof WrongValue)) throw error;
      problems.push(`${name} ${error.message}`);
      return fallback;
    }
  }

  const port = read("PORT", 8080, (text) => wholeNumber(text, 0, MAX_PORT));
  const host = read("HOST", "127.0.0.1", hostName);
  const publicUrl = read("PUBLIC_URL", originOf(host, port), webAddress);
  const settings: Settings = {
    port,
    host,
    publicUrl,
    dataDir: read("DATA_DIR", resolve("data"), (text) => resolve(text)),
    databaseUrl: read("DATABASE_URL", undefined, (text) =>
      addressWith(text, ["postgres:", "postgresql:"], "postgres://user:password@host:5432/database"),
    ),
    redisUrl: read("REDIS_URL", undefined, (text) =>
      addressWith(text, ["redis:", "rediss:"], "redis://user:password@host:6379, or rediss:// for TLS"),
    ),
    redisTimeoutMs: read("REDIS_TIMEOUT_MS", 100, (text) => wholeNumber(text, 1, MAX_REDIS_TIMEOUT_MS)),
    restRateLimit: read("REST_RATE_LIMIT", 60, (text) => wholeNumber(text, 1, MAX_RATE)),
    toolRateLimit: read("TOOL_RATE_LIMIT", 120, (text) => wholeNumber(text, 1, MAX_RATE)),
    visitorBoundsFactor: read("VISITOR_BOUNDS_FACTOR", 1, (text) => wholeNumber(text, 1, MAX_BOUNDS_FACTOR)),
    webhookAllowedNetworks: read("WEBHOOK_ALLOWED_NETWORKS", [], networks),
    channelAllowedNetworks: read("CHANNEL_ALLOWED_NETWORKS", [], networks),
    oauthClientDocuments: read("OAUTH_CLIENT_DOCUMENTS", true, onOrOff),
    ssoAllowedNetworks: read("SSO_ALLOWED_NETWORKS", [], networks),
    ai: readModel(read, (problem) => problems.push(problem)),
    aiAllowedNetworks: read("AI_ALLOWED_NETWORKS", [], networks),
    lmtpPort: read("LMTP_PORT", undefined, (text) => wholeNumber(text, 1, MAX_PORT)),
    lmtpHost: read("LMTP_HOST", "127.0.0.1", ownHost),
    webhookRetryWaits: read("WEBHOOK_RETRY_SECONDS", DEFAULT_RETRY_WAITS_MS, retryWaits),
    trustProxy: read("TRUST_PROXY", false, trustProxy),
    logLevel: read("LOG_LEVEL", "info", logLevel),
    smtpUrl: read("SMTP_URL", undefined, smtpAddress),
    mailFrom: read("MAIL_FROM", senderOf(publicUrl), sender),
    s3: readS3(read, (problem) => problems.push(problem)),
    uploadMaxBytes: read("UPLOAD_MAX_MB", 25, (text) => wholeNumber(text, 1, MAX_UPLOAD_MB)) * MB,
    secretKey: read("SECRET_KEY", undefined, secretKey),
    previousSecretKey: read("SECRET_KEY_PREVIOUS", undefined, secretKey),
  };
  if (problems.length > 0) {
    const [one, more] = ["This setting is invalid:", `These ${problems.length} settings are invalid:`];
    throw new OperatorError([problems.length > 1 ? more : one, ...problems.map((text) => `  ${text}`)].join("\n"));
  }
  return settings;
}

type Read = <T>(name: string, fallback: T, parse: (text: string) => T) => T;

const S3_NEEDS = ["S3_BUCKET", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"] as const;
const S3_MAY = ["S3_ENDPOINT", "S3_REGION", "S3_FORCE_PATH_STYLE"] as const;

/** All settings together or none: with half of them, files would silently be stored in a folder. */
function readS3(read: Read, report: (problem: string) => void): S3Settings | undefined {
  const given = [...S3_NEEDS, ...S3_MAY].filter((name) => read(name, false, () => true));
  if (given.length === 0) return undefined;
  const missing = S3_NEEDS.filter((name) => !given.includes(name));
  for (const name of missing)
    report(`${name} is missing. To store files in a bucket, set all of ${S3_NEEDS.join(", ")}.`);
  const region = read("S3_REGION", "us-east-1", s3Region);
  const endpoint = read("S3_ENDPOINT", undefined, webAddress);
  return {
    endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
    region,
    bucket: read("S3_BUCKET", "", bucketName),
    accessKeyId: read("S3_ACCESS_KEY_ID", "", hidden),
    secretAccessKey: read("S3_SECRET_ACCESS_KEY", "", hidden),
    pathStyle: read("S3_FORCE_PATH_STYLE", endpoint !== undefined, onOrOff),
  };
}

/** A server without a model cannot answer, and a model without a server is nowhere. The key and the other model can be missing. */
function readModel(read: Read, report: (problem: string) => void): ModelConnection | undefined {
  const baseUrl = read("AI_BASE_URL", "", webAddress);
  const model = read("AI_MODEL", "", modelName);
  const apiKey = read("AI_API_KEY", "", hidden);
  const embeddingModel = read("AI_EMBEDDING_MODEL", "", modelName);
  const given = { AI_BASE_URL: read("AI_BASE_URL", false, () => true), AI_MODEL: read("AI_MODEL", false, () => true) };
  if (!given.AI_BASE_URL && !given.AI_MODEL && !apiKey && !embeddingModel) return undefined;
  for (const [name, isGiven] of Object.entries(given))
    if (!isGiven) report(`${name} is missing. To use a language model, set both AI_BASE_URL and AI_MODEL.`);
  return { baseUrl, model, apiKey, embeddingModel };
}

/** The problem of a setting: what is wrong with it, and what would be right. */
class WrongValue extends Error {}

function wholeNumber(text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new WrongValue(`is ${shown(text)}. It must be a whole number from ${min} to ${max}.`);
}

function retryWaits(text: string): number[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.length !== DEFAULT_RETRY_WAITS_MS.length) {
    throw new WrongValue(
      `is ${shown(text)}. It must be three numbers of seconds separated by commas, such as 60,300,900.`,
    );
  }
  return words.map((word) => wholeNumber(word, 1, MAX_RETRY_SECONDS) * 1_000);
}

function hostName(text: string): string {
  const bare = text.replace(/^\[(.*)\]$/, "$1");
  if (isIP(bare) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(bare)) return bare;
  throw new WrongValue(`is ${shown(text)}. It must be an IP address or a host name, such as 127.0.0.1 or 0.0.0.0.`);
}

/** Not one of the internet, where anyone could reach what asks for no password. */
function ownHost(text: string): string {
  const host = hostName(text);
  if (!isPublicAddress(host)) return host;
  throw new WrongValue(
    `is ${shown(text)}, which is a public address. It must be an address of this machine or of a private network, such as 127.0.0.1 or 10.1.2.3.`,
  );
}

function webAddress(text: string): string {
  const url = URL.parse(text);
  const plain = url && !url.username && !url.password && !url.search && !url.hash;
  if (plain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, "");
  throw new WrongValue("must be a plain http:// or https:// URL, such as https://chat.example.com.");
}

function s3Region(text: string): string {
  if (/^[a-z0-9-]{1,40}$/i.test(text)) return text;
  throw new WrongValue(`is ${shown(text)}. It must be a region name, such as eu-central-1.`);
}

function bucketName(text: string): string {
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text)) return text;
  throw new WrongValue(
    `is ${shown(text)}. It must be a bucket name: 3 to 63 lowercase letters, digits, dots and hyphens.`,
  );
}

function modelName(text: string): string {
  if (text.length <= MAX_MODEL_NAME && !/\p{Cc}/u.test(text)) return text;
  throw new WrongValue(
    `is ${shown(text)}. It must be the name of a model, as its server lists it, such as gpt-5-mini or llama3.1:8b.`,
  );
}

function hidden(text: string): string {
  if (/^[\x21-\x7e]+$/.test(text)) return text;
  throw new WrongValue("contains invalid characters (not shown). Copy it again.");
}

function onOrOff(text: string): boolean {
  if (/^(on|true|yes|1)$/i.test(text)) return true;
  if (/^(off|false|no|0)$/i.test(text)) return false;
  throw new WrongValue(`is ${shown(text)}. It must be true or false.`);
}

function addressWith(text: string, protocols: string[], example: string): string {
  const url = URL.parse(text);
  if (url?.hostname && protocols.includes(url.protocol)) return text;
  throw new WrongValue(
    `is not a valid URL (not shown, because it may contain a password). It must look like ${example}.`,
  );
}

function smtpAddress(text: string): string {
  const example = "smtp://user:password@host:587?requireTLS, or smtps:// for TLS from the start";
  const address = addressWith(text, ["smtp:", "smtps:"], example);
  if (isReadableSmtpUrl(address)) return address;
  throw new WrongValue("has an invalid requireTLS. It must be true or false.");
}

function logLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text.toLowerCase());
  if (level) return level;
  throw new WrongValue(`is ${shown(text)}. It must be one of ${LOG_LEVELS.join(", ")}.`);
}

/**
 * A number of hops becomes a function: given a number, Fastify itself trusts no direct caller, since it cannot know whether
 * that caller wrote the header. The operator who sets a number states that only proxies call us directly.
 */
function trustProxy(text: string): TrustProxy {
  if (/^(off|false|no)$/i.test(text)) return false;
  if (/^(on|true|yes)$/i.test(text)) return true;
  if (/^\d+$/.test(text)) {
    const hops = wholeNumber(text, 0, MAX_HOPS);
    return (_address, hop) => hop < hops;
  }
  const list = text.split(",").map((entry) => entry.trim());
  const wrong = list.filter((entry) => !PROXY_RANGES.includes(entry) && !isNetwork(entry));
  if (wrong.length === 0) return list;
  throw new WrongValue(
    `contains ${wrong.map(shown).join(", ")}. It must be true, off, a number of proxies, or addresses and networks separated by commas, such as 10.0.0.0/8, 192.168.1.5.`,
  );
}

function networks(text: string): string[] {
  const list = text.split(",").map((entry) => entry.trim());
  const wrong = list.filter((entry) => !readAddressRange(entry));
  if (wrong.length === 0) return list;
  throw new WrongValue(
    `contains ${wrong.map(shown).join(", ")}. It must be addresses and networks separated by commas, such as 10.0.0.0/8, 192.168.1.5.`,
  );
}

function isNetwork(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return (
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

function sender(text: string): string {
  if (/^[^<>@\s]+@[^<>@\s]+$/.test(text) || /^[^<>\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>$/u.test(text)) return text;
  throw new WrongValue(`is ${shown(text)}. It must be an email address, such as Acme <chat@example.com>.`);
}

function secretKey(text: string): Buffer {
  const isHex = /^[0-9a-f]{64}$/i.test(text);
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/.test(text);
  const key = isHex ? Buffer.from(text, "hex") : isBase64 ? Buffer.from(text, "base64") : undefined;
  if (key?.length === SECRET_KEY_BYTES) return key;
  throw new WrongValue(
    "is not a valid key (not shown). It must be 32 bytes in base64 or hex. Generate one with: openssl rand -base64 32",
  );
}

/** Where a browser on this machine reaches us: it cannot open the address that means "every address". */
function originOf(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::") return `http://localhost:${port}`;
  return `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** An IP address is no domain to send mail from. */
function senderOf(publicUrl: string): string {
  const { hostname } = new URL(publicUrl);
  const domain = isIP(hostname.replace(/^\[(.*)\]$/, "$1")) ? "localhost" : hostname;
  return `Frontdesk <no-reply@${domain}>`;
}

/** The operator's own text, shortened, with control characters made visible. */
function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
