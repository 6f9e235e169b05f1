import { eraseContact } from "@frontdesk/server/privacy/erase-contact";
import { erasePiece } from "@frontdesk/server/privacy/erase-piece";
import type { TestApp, TestTeam } from "./test-kit.ts";

/** Erases the rows of a contact without waiting for the job that does it. */
export async function eraseAtOnce(
  perform: TestApp["app"]["perform"],
  { actor, teamId }: TestTeam,
  contactId: string,
): Promise<void> {
  const { id: erasureId } = await perform(actor, eraseContact, { contactId });
  while (await perform({ kind: "system", teamId }, erasePiece, { erasureId }));
}
