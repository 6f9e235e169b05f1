import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";
import type { LogLevel } from "./config.ts";

export type { Logger } from "pino";

/** Header names and fields that may hold a secret, wherever they stand in a log line, down to the second level. */
const SECRETS = [
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
  "secret_key",
  "apiKey",
  "api_key",
  "smtpUrl",
  "databaseUrl",
  "payload",
];

/**
 * The log: one JSON object a line, with ISO 8601 times. It goes to standard error, because standard output belongs to
 * the answer of a command (`--json`).
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
      redact: {
        paths: SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]),
        censor: "[hidden]",
      },
      serializers: { req: requestLine },
    },
    to,
  );
}

/** What is told of a request. A set-up or invitation link is a secret, so neither its token nor any query is. */
function requestLine(request: { method?: string; url?: string; ip?: string }) {
  const path = request.url?.split("?", 1)[0]?.replace(/^\/join\/.+/, "/join/[hidden]");
  return { method: request.method, path, ip: request.ip };
}
