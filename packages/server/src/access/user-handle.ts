const TEAM_BYTES = 16;
const HANDLE_BYTES = 32;

/** A user handle: the team, so that the look-up stays within it, and random bytes. Never anything of the person. */
export function newUserHandle(teamId: string, random: (bytes: number) => Buffer): string {
  const team = Buffer.from(teamId.replaceAll("-", ""), "hex");
  return Buffer.concat([team, random(HANDLE_BYTES - TEAM_BYTES)]).toString("base64url");
}

/** The team of a user handle; undefined for what is none. */
export function teamOfHandle(handle: unknown): string | undefined {
  if (typeof handle !== "string") return undefined;
  const bytes = Buffer.from(handle, "base64url");
  if (bytes.length !== HANDLE_BYTES) return undefined;
  const hex = bytes.subarray(0, TEAM_BYTES).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
