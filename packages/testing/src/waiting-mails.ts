/** Mails that no job has sent yet, read from the job table of an app that sends mail. */
import { payloadPlace } from "@frontdesk/server/jobs/job-store";
import { query } from "./second-app.ts";
import type { TestApp } from "./test-kit.ts";

export interface WaitingMail {
  to: string;
  subject: string;
  text: string;
}

export async function mailsTo(
  { storage, runtime }: Pick<TestApp, "storage" | "runtime">,
  teamId: string,
  email: string,
): Promise<WaitingMail[]> {
  const rows = await query(
    storage,
    `SELECT id, payload_sealed FROM jobs WHERE team_id = '${teamId}' AND kind = 'send-mail'`,
  );
  return rows
    .map(({ id, payload_sealed }) =>
      JSON.parse(runtime.vault.open(String(payload_sealed), payloadPlace({ team_id: teamId, id: String(id) }))),
    )
    .filter(({ to }) => to === email);
}

/** Their subjects without the team, in the order of the alphabet. */
export async function subjectsTo(
  kit: Pick<TestApp, "storage" | "runtime">,
  teamId: string,
  email: string,
): Promise<string[]> {
  return (await mailsTo(kit, teamId, email)).map(({ subject }) => subject.replace(/ \(.*/, "")).toSorted();
}
