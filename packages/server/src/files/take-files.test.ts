/** Files in messages: who may use them, and what the message contains of them (docs/decisions/0022-files.md). */

import { fetchFile, uploadAs, veraWithFiles } from "@frontdesk/testing/file-sender";
import { PNG } from "@frontdesk/testing/sample-files";
import { query } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";

const { app, storage, team } = await startTestApp();
const base = await app.start();

const NOT_YOURS = ["Must be the URL of a file that was uploaded here."];
const usedIn = async (teamId: string) =>
  (await query(storage, `SELECT used_at FROM files WHERE team_id = '${teamId}' ORDER BY id`)).map(
    ({ used_at }) => used_at !== null,
  );

test("a visitor's message holds the files that the same browser sent, as stored and not as the message claims", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const photo = await vera.sends("photo.png", PNG);
  const lies = { url: photo.url, name: "harmless.txt", type: "file", mime: "text/html", size: 1 };
  const { status, body } = await vera.write([lies]);
  expect(status).toBe(201);
  expect(body.message.attachments).toEqual([photo]);
  expect(await usedIn(acme.teamId)).toEqual([true]);
  const received = (await acme.events()).find(({ name }) => name === "message.received");
  expect(received?.data).toMatchObject({
    message: {
      attachments: [
        {
          content: photo.url,
          type: "image",
          mime: "image/png",
          original_file_name: "photo.png",
          size: PNG.byteLength,
        },
      ],
    },
  });
});

test("what is no file of the same browser is refused by its place, and nothing is stored", async () => {
  const [acme, sams] = [await team(), await team()];
  const vera = veraWithFiles(base, acme);
  const own = await vera.sends("own.txt", "own");
  const hugos = await veraWithFiles(base, acme).sends("hugos.txt", "hugo");
  const adas = (await uploadAs(base, acme, "adas.txt", "ada")).body.data.attributes;
  const foreign = await veraWithFiles(base, sams, vera.token).sends("sams.txt", "sam");
  const wrong = [
    hugos.url,
    adas.url,
    foreign.url,
    "https://evil.test/a.png",
    own.url.replace("https://chat.test", "https://evil.test"),
    own.url.replace("own.txt", "other.txt"),
    `${own.url}?x=1`,
    `${own.url.slice(0, -12)}/own.txt`,
  ];
  const before = await acme.events();
  for (let from = 0; from < wrong.length; from += 4) {
    const urls = wrong.slice(from, from + 4);
    const { status, body } = await vera.write([own, ...urls.map((url) => ({ url }))]);
    expect({ status, errors: body.errors }).toEqual({
      status: 422,
      errors: Object.fromEntries(urls.map((_url, index) => [`attachments.${index + 1}.url`, NOT_YOURS])),
    });
  }
  expect(await acme.events()).toEqual(before);
  expect(await usedIn(acme.teamId)).toEqual([false, false, false]);
  expect((await vera.write([own])).status).toBe(201);
});

test("nine files fit into a message, ten do not", async () => {
  const vera = veraWithFiles(base, await team());
  const files = [];
  for (let count = 0; count < 10; count += 1) files.push(await vera.sends(`${count}.txt`, "x"));
  expect((await vera.write(files)).status).toBe(422);
  const { status, body } = await vera.write(files.slice(0, 9));
  expect(status).toBe(201);
  expect(body.message.attachments.map(({ name }: { name: string }) => name)).toEqual(
    files.slice(0, 9).map(({ name }) => name),
  );
});

test("a message that is sent again with its file is answered with the one that is there", async () => {
  const vera = veraWithFiles(base, await team());
  const file = await vera.sends("a.txt", "x");
  const again = { client_id: crypto.randomUUID() };
  const [one, other] = [await vera.write([file], again), await vera.write([file], again)];
  expect([one.status, other.status]).toEqual([201, 201]);
  expect(other.body.message).toEqual(one.body.message);
});

test("a program may name any address; a file of its team is kept, and what is not said of it is filled in", async () => {
  const acme = await team();
  const vera = veraWithFiles(base, acme);
  const { body: written } = await vera.write([], { content: "Do you have a price list?" });
  const list = (await uploadAs(base, acme, "prices.png", PNG)).body.data.attributes;
  const { status } = await acme.post("/messages", {
    conversation_id: written.message.conversation_id,
    attachments: [{ url: list.url }, { url: list.url, name: "Prices", size: null }, { url: "https://acme.test/a.pdf" }],
  });
  expect(status).toBe(201);
  const sent = (await acme.events()).find(({ name }) => name === "message.sent");
  const told = { content: list.url, type: "image", mime: "image/png", size: PNG.byteLength };
  expect(sent?.data).toMatchObject({
    message: {
      attachments: [
        { ...told, original_file_name: "prices.png" },
        { ...told, original_file_name: "Prices" },
        { content: "https://acme.test/a.pdf", size: null },
      ],
    },
  });
  expect(await usedIn(acme.teamId)).toEqual([true]);
});

test("what a program says of another team's file stays what it says, and keeps nothing", async () => {
  const [acme, sams] = [await team(), await team()];
  const { body: written } = await veraWithFiles(base, acme).write([], { content: "Hello" });
  const { url } = (await uploadAs(base, sams, "sams.png", PNG)).body.data.attributes;
  const { message } = written;
  await acme.post("/messages", { conversation_id: message.conversation_id, attachments: [{ url }] });
  const sent = (await acme.events()).find(({ name }) => name === "message.sent");
  expect(sent?.data).toMatchObject({ message: { attachments: [{ content: url, size: null }] } });
  expect(await usedIn(sams.teamId)).toEqual([false]);
  expect((await fetchFile(base, url)).status).toBe(200);
});

test("a contact that is initialized with files keeps them", async () => {
  const acme = await team();
  const { url } = (await uploadAs(base, acme, "a.png", PNG)).body.data.attributes;
  const body = { widgetId: acme.widgetId, message: { content: "See this", urls: [url] } };
  expect((await acme.post("/contacts/initialize", body)).status).toBe(200);
  expect(await usedIn(acme.teamId)).toEqual([true]);
});
