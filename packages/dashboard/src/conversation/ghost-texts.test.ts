/** Replies that are suggested before an agent asks for one (docs/decisions/0080-copilot.md). */
import type { LiveMessage } from "@frontdesk/core/contract/live";
import { expect, test } from "vitest";
import type { CopilotAnswer, CopilotTask } from "../service/copilot.ts";
import { awaitedIn, createGhostTexts } from "./ghost-texts.ts";

const vera = { conversationId: "vera", messageId: "1" };
const answer: CopilotAnswer = { text: "We ship to Portugal.", sources: [], unsourced: [] };

/** A copilot whose answers wait. */
function copilot() {
  const asked: { task: CopilotTask; signal: AbortSignal; answers: PromiseWithResolvers<CopilotAnswer> }[] = [];
  const ghosts = createGhostTexts((task, { signal }) => {
    const answers = Promise.withResolvers<CopilotAnswer>();
    asked.push({ task, signal, answers });
    return answers.promise;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { asked, ghosts, settled };
}

test("one is asked for a message, and kept until it is taken or dropped", async () => {
  const { asked, ghosts, settled } = copilot();
  let told = 0;
  const end = ghosts.subscribe(() => {
    told += 1;
  });
  ghosts.ask(vera);
  ghosts.ask(vera);
  expect(asked.map(({ task }) => task)).toEqual([{ does: "draft", conversationId: "vera" }]);
  expect(ghosts.of(vera)?.state).toBe("asked");
  asked[0]?.answers.resolve(answer);
  await settled();
  expect(ghosts.of(vera)).toEqual({ state: "there", answer });
  // The agent looks elsewhere, and returns.
  ghosts.leave(vera);
  ghosts.ask(vera);
  expect(ghosts.of(vera)).toEqual({ state: "there", answer });
  ghosts.end(vera);
  ghosts.ask(vera);
  expect(ghosts.of(vera)).toEqual({ state: "over" });
  expect(asked).toHaveLength(1);
  expect(told).toBe(3);
  end();
});

test("an agent who begins to write, or leaves, ends the question, and none is asked again", async () => {
  const { asked, ghosts, settled } = copilot();
  const milo = { conversationId: "milo", messageId: "2" };
  const nina = { conversationId: "nina", messageId: "3" };
  ghosts.ask(vera);
  ghosts.end(vera);
  ghosts.ask(milo);
  ghosts.leave(milo);
  ghosts.end(nina);
  for (const message of [vera, milo, nina]) ghosts.ask(message);
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  // What comes all the same is not shown.
  asked[0]?.answers.resolve(answer);
  asked[1]?.answers.reject(new Error("aborted"));
  await settled();
  for (const message of [vera, milo, nina]) expect(ghosts.of(message)).toEqual({ state: "over" });
});

test("a newer message ends the question about the one before, whose answer never appears under it", async () => {
  const { asked, ghosts, settled } = copilot();
  const next = { ...vera, messageId: "2" };
  ghosts.ask(vera);
  ghosts.ask(next);
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  asked[0]?.answers.resolve(answer);
  await settled();
  expect(ghosts.of(vera)).toBeUndefined();
  expect(ghosts.of(next)?.state).toBe("asked");
});

test("no answer, and an empty one, suggest nothing", async () => {
  const { asked, ghosts, settled } = copilot();
  const milo = { conversationId: "milo", messageId: "2" };
  ghosts.ask(vera);
  ghosts.ask(milo);
  asked[0]?.answers.reject(new Error("The model is away."));
  asked[1]?.answers.resolve({ ...answer, text: " " });
  await settled();
  for (const message of [vera, milo]) expect(ghosts.of(message)).toEqual({ state: "over" });
});

test("a message waits for an answer while the team has not replied since; notes are no replies", () => {
  const message = (id: string, from: LiveMessage["from"], type: LiveMessage["type"] = "message", more = {}) =>
    ({ id, from, type, ...more }) as LiveMessage;
  const awaited = (...messages: LiveMessage[]) => awaitedIn(messages)?.id;
  expect(awaited(message("1", "agent"), message("2", "visitor"))).toBe("2");
  expect(awaited(message("1", "visitor"), message("2", "agent", "note"), message("3", "agent", "system"))).toBe("1");
  expect(awaited(message("1", "visitor"), message("2", "agent"))).toBeUndefined();
  expect(awaited(message("1", "visitor", "message", { is_redacted: true }))).toBeUndefined();
  expect(awaited()).toBeUndefined();
  expect(awaitedIn(undefined)).toBeUndefined();
});
