import { Readable } from "node:stream";
import type { Drafts } from "../files/drafts.ts";
import type { FileStorage } from "../files/file-storage.ts";
import type { DemoOriginal } from "./spam.ts";

/** Stores the originals of a demo that was created. */
export async function keepOriginals(
  { drafts, fileStorage }: { drafts: Drafts; fileStorage: FileStorage },
  teamId: string,
  originals: readonly DemoOriginal[],
): Promise<void> {
  for (const { id, content } of originals) {
    await fileStorage.put({ teamId, id }, await drafts.make(id, Readable.from([content])));
  }
}
