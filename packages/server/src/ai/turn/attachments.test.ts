/** Files of a visitor: the model is told that it can't read them, the visitor that it hasn't (reference row B33). */
import { startAiScene } from "@frontdesk/testing/ai-scene";
import { veraWithFiles } from "@frontdesk/testing/file-sender";
import { PDF, PNG } from "@frontdesk/testing/sample-files";
import { afterAll, expect, test } from "vitest";

const scene = await startAiScene();
const { model } = scene;
afterAll(() => model.stop());

const QUESTION = "How long does a parcel take?";
const UNREAD = "I can’t open files, so I haven’t seen what you attached.";
const OGG = Buffer.from("4f67675300020000000000000000", "hex");
const FILES = [
  ["a PDF", "invoice-2026.pdf", PDF],
  ["an image", "broken cup.png", PNG],
  ["a voice message", "voice-note.ogg", OGG],
] as const;

/** A visitor sends a file with a text, or without; resolves once the turn has ended. */
async function sends(name: string, bytes: Buffer, content: string) {
  const team = await scene.team();
  const vera = veraWithFiles(scene.origin, team);
  const { body } = await vera.write([await vera.sends(name, bytes)], { content });
  const conversationId: string = body.message.conversation_id;
  const before = model.requests.length;
  await scene.turn(conversationId);
  const [run] = await scene.runs(conversationId);
  return {
    ...{ vera, conversationId },
    ended: `${run?.outcome}: ${run?.reason}`,
    said: (await scene.said(conversationId)).at(-1) ?? "",
    requests: model.requests.slice(before),
  };
}

test.each(FILES)(
  "%s with a question is named to the model as unreadable, and the answer says that it was not seen",
  async (_what, name, bytes) => {
    const { vera, conversationId, ended, said, requests } = await sends(name, bytes, QUESTION);
    expect(ended).toBe("answered: grounded");
    expect(requests).toHaveLength(1);
    expect(requests[0]?.raw).toContain(`attached file, which you cannot read: ${name}`);
    expect(said).toContain("3 working days");
    expect(said).toContain(UNREAD);
    // It is said once, under the answer to the message that the file came with.
    model.answerNext("ANSWER\nWithin 3 working days, as I said. [1]");
    await vera.write([], { content: "How long is that?" });
    await scene.turn(conversationId);
    expect(await scene.said(conversationId)).toEqual([said, "Within 3 working days, as I said."]);
  },
);

test.each(FILES)("%s alone is handed over, and no model is asked", async (_what, name, bytes) => {
  const { ended, said, requests } = await sends(name, bytes, "");
  expect([ended, requests]).toEqual(["handed-over: attachment", []]);
  expect(said).toContain("our team");
});

test.each([
  "ANSWER\nI have looked at your invoice: parcels arrive within 3 working days. [1]",
  "CHAT\nWhat a nice picture!",
  "ASK\nI see a cup in your picture. Is it yours?",
  "DONE\nThank you for the nice picture!",
])("a model that claims to have seen a file has the opposite said under it: %s", async (written) => {
  model.answerNext(written);
  const { said } = await sends("broken cup.png", PNG, "Here you are");
  expect(said.endsWith(`${UNREAD} A person on our team can.`)).toBe(true);
});

test("it is said in the visitor's language", async () => {
  model.answerNext("ANSWER\nПосылка придёт в течение 3 рабочих дней. [1]");
  const { said } = await sends("счёт.pdf", PDF, "Сколько идёт посылка?");
  expect(said).toContain("Я не могу открывать файлы");
});
