/** `CONTENT_MAX` of the contract: characters. */
export const CONTENT_MAX = 10_000;

/** `ATTACHMENTS_MAX` of the contract: files. */
export const MOST_FILES = 9;
