import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from "pino";
import type { LogLevel } from "./config.ts";

export type { Logger } from "pino";

/** Header names and fields that may hold a secret. */
const SECRETS = new Set([
  "x-api-key",
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
  "password",
  "passwordHash",
  "password_hash",
  "token",
  "secret",
  "signing_secret",
  "secretKey",
  "previousSecretKey",
  "redisUrl",
  "secret_key",
  "apiKey",
  "api_key",
  "smtpUrl",
  "databaseUrl",
  "payload",
]);
const HIDDEN = "[hidden]";
/** A log line is flat; nothing is logged deeper than this on purpose. */
const MAX_DEPTH = 4;

/**
 * The log: one JSON object a line, with ISO 8601 times, and secrets hidden wherever they occur. (The bindings of a child logger
 * are not checked: put no secret there.) It goes to standard error, because standard output belongs to the answer of a command
 * (`--json`).
 */
export function createLogger({
  level,
  destination: to = destination(2),
}: {
  level: LogLevel;
  destination?: DestinationStream;
}): Logger {
  return pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      // Not pino's `redact`: its paths with wildcards took 58 µs a line, this takes 1.
      formatters: { log: (fields) => withoutSecrets(fields, 0) },
      serializers: { req: requestLine, err: (error) => withoutSecrets(stdSerializers.err(error), 0) },
    },
    to,
  );
}

/** Only plain objects are checked: a request or an error is shown by its serialiser. */
function withoutSecrets(fields: object, depth: number): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (SECRETS.has(name)) shown[name] = HIDDEN;
    else if (!isPlain(value)) shown[name] = value;
    else shown[name] = depth < MAX_DEPTH ? withoutSecrets(value, depth + 1) : HIDDEN;
  }
  return shown;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * What is logged of a request. The links of set-up, invitations, files, exports and visitors' own data are secrets: neither their tokens nor any query is
 * logged.
 */
function requestLine(request: { method?: string; url?: string; ip?: string }) {
  const path = request.url
    ?.split("?", 1)[0]
    ?.replace(/(\/(?:join|files|my-data\/link)\/|\/exports\/fd_).+/, "$1[hidden]");
  return { method: request.method, path, ip: request.ip };
}
