import type { FastifyRequest } from "fastify";

/** A browser lists a handful; each further one costs time. */
const MOST_LANGUAGES = 10;

/** The languages of a browser, the preferred one first. */
export function acceptedLanguages(request: FastifyRequest): string[] {
  return (request.headers["accept-language"] ?? "")
    .split(",", MOST_LANGUAGES)
    .map((part) => part.split(";")[0]?.trim() ?? "")
    .filter((each) => each !== "");
}
