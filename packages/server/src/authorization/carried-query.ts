/** The query in one parameter, which no parser takes for a number. */
export const carried = (query: string): string => `q${Buffer.from(query).toString("base64url")}`;
/** Undefined for what was not made by `carried`. */
export const uncarried = (text: string): string | undefined =>
  /^q[A-Za-z0-9_-]+$/.test(text) ? Buffer.from(text.slice(1), "base64url").toString() : undefined;
