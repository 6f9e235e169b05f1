import { nameInAddress } from "@frontdesk/core/domain/file-name";
import { tokenTeam } from "../access/token.ts";

/** Where the addresses of all files begin. */
export function filesUrl(publicUrl: string): string {
  return `${publicUrl}/files/`;
}

/** The address of a file: whoever knows it has the file, so the token in it is a secret of 256 bits. */
export function fileAddress(filesUrl: string, token: string, name: string): string {
  return `${filesUrl}${token}/${nameInAddress(name)}`;
}

/** The token in an address of one of the team's files, wherever it leads; undefined in every other address. */
export function fileTokenIn(address: string, teamId: string): string | undefined {
  const token = /\/files\/(fd_file_[0-9A-Za-z]+)\/[^/?#]+$/.exec(address)?.[1];
  return token !== undefined && tokenTeam("file", token) === teamId ? token : undefined;
}
