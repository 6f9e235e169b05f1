import type { FastifyRequest } from "fastify";

/** The token of `Authorization: Bearer …`; never one in the address, which ends up in logs. */
export function bearerToken({ headers }: Pick<FastifyRequest, "headers">): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
}
