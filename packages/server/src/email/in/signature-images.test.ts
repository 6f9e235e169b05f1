/** Images of signatures, which are attached to every mail (reference: section 5, "signature"; F12, B23). */
import { query } from "@frontdesk/testing/second-app";
import { startTestApp, type TestTeam } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { mailRoom, nextNumber } from "../out/mailbox-for-tests.ts";

const kit = await startTestApp({ CHANNEL_ALLOWED_NETWORKS: "127.0.0.1" });
const { app, storage, team } = kit;
await app.start();

const PNG = Buffer.from("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489", "hex");
const logo = Buffer.concat([PNG, Buffer.alloc(600, 1)]);
const sameSize = Buffer.concat([PNG, Buffer.alloc(600, 2)]);
const photo = Buffer.concat([PNG, Buffer.alloc(30_000, 3)]);

async function scene() {
  const acme = await team();
  const box = await mailRoom(kit).mailbox(acme);
  /** The names of the files of a message. */
  async function writes(images: readonly (readonly [name: string, content: Buffer])[], from = "vera@vera.example") {
    const words = `Hello ${nextNumber()}`;
    const part = ([name, content]: readonly [string, Buffer]) =>
      [
        ...["--b", `Content-Type: image/png; name="${name}"`, "Content-Transfer-Encoding: base64"],
        ...[`Content-Disposition: inline; filename="${name}"`, "", content.toString("base64")],
      ].join("\r\n");
    await box.post(
      [
        ...[`From: ${from}`, `To: ${box.address}`, "Subject: Hello", `Message-ID: <s${nextNumber()}@vera.example>`],
        ...["MIME-Version: 1.0", 'Content-Type: multipart/mixed; boundary="b"', ""],
        ...["--b", "Content-Type: text/plain", "", words, ...images.map(part), "--b--", ""],
      ].join("\r\n"),
    );
    return namesOf(acme, words);
  }
  return { acme, writes };
}

async function namesOf({ teamId }: TestTeam, words: string): Promise<unknown[]> {
  const found = () => query(storage, `SELECT id FROM messages WHERE team_id = '${teamId}' AND content = '${words}'`);
  await expect.poll(async () => (await found()).length).toBe(1);
  const [row] = await found();
  const of = `SELECT name FROM attachments WHERE message_id = '${row?.id}' ORDER BY position`;
  return (await query(storage, of)).map(({ name }) => name);
}

test("the same small image is listed in two mails of a sender, and from the third on is in the original alone", async () => {
  const { acme, writes } = await scene();
  expect(await writes([["image001.png", logo]])).toEqual(["image001.png"]);
  expect(
    await writes([
      ["image002.png", logo],
      ["photo.png", photo],
    ]),
  ).toEqual(["image002.png", "photo.png"]);
  expect(
    await writes([
      ["image001.png", logo],
      ["photo.png", photo],
    ]),
  ).toEqual(["photo.png"]);
  expect(await writes([["image001.png", sameSize]])).toEqual(["image001.png"]);
  expect(await writes([["image009.png", logo]])).toEqual([]);
  // Of another sender nothing is known.
  expect(await writes([["image001.png", logo]], "kim@kim.example")).toEqual(["image001.png"]);
  const files = `SELECT id FROM files WHERE team_id = '${acme.teamId}' AND mime = 'image/png'`;
  expect(await query(storage, files)).toHaveLength(6);
});

test("an image that is twice in one mail is one, and a large one is never of a signature", async () => {
  const { writes } = await scene();
  expect(
    await writes([
      ["a.png", logo],
      ["b.png", logo],
    ]),
  ).toEqual(["a.png", "b.png"]);
  expect(await writes([["a.png", logo]])).toEqual(["a.png"]);
  expect(
    await writes([
      ["a.png", logo],
      ["b.png", logo],
    ]),
  ).toEqual([]);
  for (let count = 0; count < 4; count += 1) expect(await writes([["photo.png", photo]])).toEqual(["photo.png"]);
});
