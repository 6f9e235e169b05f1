/** What an agent's client sends as presence, and sends again over a new connection. */
import { expect, test } from "vitest";
import { agentPresence } from "./agent-presence.ts";
import { heldClock } from "./clock-for-tests.ts";
import type { PresenceToSend } from "./live-transports.ts";

function adaAtWork() {
  const clock = heldClock();
  const sent: PresenceToSend[] = [];
  return { clock, sent, presence: agentPresence(clock, (frame) => sent.push(frame)) };
}

const types = (typing: boolean) => ({ type: "typing", conversation_id: "c", typing });

test("typing is sent every three seconds while it goes on, and its end once", () => {
  const { clock, sent, presence } = adaAtWork();
  for (let key = 0; key < 7; key += 1) {
    presence.typing("c", true);
    clock.advance(1_000);
  }
  expect(sent).toEqual([types(true), types(true), types(true)]);
  presence.typing("c", false);
  presence.typing("c", false);
  expect(sent.slice(3)).toEqual([types(false)]);
});

test("typing that began before the stream was live is sent once it is, unless it was long ago", () => {
  const { clock, sent, presence } = adaAtWork();
  presence.typing("c", true);
  clock.advance(2_000);
  presence.typing("c", true);
  sent.length = 0;
  clock.advance(5_000);
  presence.resend();
  expect(sent).toEqual([types(true)]);
  clock.advance(8_000);
  presence.resend();
  expect(sent).toHaveLength(1);
  presence.typing("c", false);
  presence.resend();
  expect(sent.slice(1)).toEqual([types(false)]);
});
