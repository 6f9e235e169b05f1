/**
 * ```
 * (a visitor) -> requested  a link was mailed, which is confirmed within an hour
 * requested   -> running    as from a request by the team
 * (a request) -> running    its file has its row; a job makes the zip
 * running     -> done       the file is stored; it is kept for 7 days
 * running     -> failed     the file storage or the disk was not there, or the job died again and again
 * any         -> (deleted)  after 7 days, and as soon as something of the contact is erased or redacted
 * ```
 * docs/decisions/0056-export.md
 */
export type ExportState = "requested" | "running" | "done" | "failed";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of a link to a visitor, until it is confirmed. */
export const LINK_LIFE_MS = HOUR_MS;
/** From the request; of a finished one from its end. */
export const EXPORT_LIFE_MS = 7 * DAY_MS;
/** No job is tried for longer: what still runs then has failed. */
export const EXPORT_RUN_MS = DAY_MS;
