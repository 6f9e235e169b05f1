/** Exports of tests: asked for, downloaded and opened. */
import { hash } from "node:crypto";
import { exportSchema } from "@frontdesk/core/contract/contact-export";
import { problemsOf } from "@frontdesk/testing/ajv";
import type { TestApp, TestTeam } from "@frontdesk/testing/test-kit";
import { type Unzipped, unzipped } from "@frontdesk/testing/unzipped";
import { expect } from "vitest";

export const exportOf = async (acme: TestTeam, id: string) => (await acme.get(`/exports/${id}`)).body.data.attributes;

/** Asks for an export and waits until it is done. */
export async function exported(acme: TestTeam, contactId: string, body?: object) {
  const { status, body: answer } = await acme.post(`/contacts/${contactId}/export`, body);
  expect(status).toBe(202);
  const { id } = answer.data;
  await expect.poll(async () => (await exportOf(acme, id)).state).toBe("done");
  return { id, ...(await exportOf(acme, id)) } as { id: string; url: string; size: number; expires_at: string };
}

/** What the address of an export answers. */
export async function download({ app }: Pick<TestApp, "app">, url: string, headers: Record<string, string>) {
  const answer = await app.http.inject({ method: "GET", url: new URL(url).pathname, headers });
  return { status: answer.statusCode, headers: answer.headers, content: answer.rawPayload };
}

export async function opened(on: TestApp, acme: TestTeam, url: string): Promise<Unzipped> {
  const { status, content } = await download(on, url, { "x-api-key": acme.apiKey });
  expect(status).toBe(200);
  return unzipped(content);
}

export const json = (zip: Unzipped, name: string) => JSON.parse(zip.read(name).toString());

/** The sums in the export, checked against its files: each but the list itself is in it. */
export function expectWhole(zip: Unzipped): void {
  const sums = zip.names
    .filter((name) => name !== "SHA256SUMS")
    .map((name) => `${hash("sha256", zip.read(name), "hex")}  ${name}\n`);
  expect(zip.read("SHA256SUMS").toString()).toBe(sums.join(""));
  const { contact, conversations } = exportSchema().$defs;
  expect(problemsOf(contact, json(zip, "contact.json"))).toEqual([]);
  expect(problemsOf(conversations, json(zip, "conversations.json"))).toEqual([]);
}
