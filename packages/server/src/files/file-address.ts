import { nameInAddress } from "@frontdesk/core/domain/file-name";
import { tokenTeam } from "../access/token.ts";

/** The beginning of the addresses of all files. */
export function filesUrl(publicUrl: string): string {
  return `${publicUrl}/files/`;
}

/** The address of a file: its holder can read the file, so the token in it is a secret of 256 bits. */
export function fileAddress(filesUrl: string, token: string, name: string): string {
  return `${filesUrl}${token}/${nameInAddress(name)}`;
}

/** The token in an address of one of the team's files, whatever its host; undefined for any other address. */
export function fileTokenIn(address: string, teamId: string): string | undefined {
  const token = /\/files\/(fd_file_[0-9A-Za-z]+)\/[^/?#]+$/.exec(address)?.[1];
  return token !== undefined && tokenTeam("file", token) === teamId ? token : undefined;
}
