/** What is sent on streams, with the timer controlled by the test: one check at a time. */
import type { ServerEvent } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createListChanges } from "./list-changes.ts";

const LOOK_MS = 500;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Streams over lists that the test changes, each change with a new version. */
function scene() {
  const lists = new Map<string, string | undefined>();
  const state = { version: "1" as string | undefined, asked: 0, looks: 0, failing: false, team: "acme" };
  let opening = "";
  const bus = createListChanges({
    version() {
      state.asked += 1;
      return state.version;
    },
    opening: () => ({
      teamId: state.team,
      assistantId: opening,
      seen: "as it was when the request came",
      end: endOf(opening),
      look: async () => {
        state.looks += 1;
        if (state.failing) throw new Error("The storage is away.");
        return lists.get(opening);
      },
    }),
  });
  const told: string[] = [];
  // As when its host receives the end and disconnects.
  const leaves = new Map<string, (() => void)[]>();
  function endOf(assistantId: string): () => void {
    return () => {
      told.push(`${assistantId} ended`);
      leaves.get(assistantId)?.shift()?.();
    };
  }
  return {
    state,
    told,
    open(assistantId: string, list: string | undefined) {
      opening = assistantId;
      lists.set(assistantId, list);
      const leave = bus.subscribe(({ kind }: ServerEvent) => told.push(`${assistantId}: ${kind}`));
      leaves.set(assistantId, [...(leaves.get(assistantId) ?? []), leave]);
      return leave;
    },
  };
}

test("a grant that changed while its stream was being opened is announced, though the others were checked since", async () => {
  const { told, open } = scene();
  open("robin", "as it was when the request came");
  await vi.advanceTimersByTimeAsync(LOOK_MS);
  expect(told).toEqual([]);
  open("sam", "another one");
  await vi.advanceTimersByTimeAsync(LOOK_MS);
  expect(told).toContain("sam: tools_list_changed");
});

test("no stream is checked while the version of the grants stays, and nothing is done at all once the last one has gone", async () => {
  const { state, open } = scene();
  const leave = open("robin", "as it was when the request came");
  await vi.advanceTimersByTimeAsync(10 * LOOK_MS);
  expect(state.looks).toBe(1);
  state.version = "2";
  await vi.advanceTimersByTimeAsync(10 * LOOK_MS);
  expect(state.looks).toBe(2);
  leave();
  const { asked } = state;
  await vi.advanceTimersByTimeAsync(10 * LOOK_MS);
  expect(state.asked).toBe(asked);
});

test("a look that failed, and a version that cannot be known, are looked at again", async () => {
  const { state, told, open } = scene();
  state.failing = true;
  open("robin", "another one");
  await vi.advanceTimersByTimeAsync(2 * LOOK_MS);
  expect([state.looks, told]).toEqual([2, []]);
  state.failing = false;
  await vi.advanceTimersByTimeAsync(LOOK_MS);
  expect(told).toEqual(["robin: tools_list_changed"]);
  state.version = undefined;
  await vi.advanceTimersByTimeAsync(2 * LOOK_MS);
  expect(state.looks).toBe(5);
});

test("a stream whose connection has no list any more ends", async () => {
  const { told, open } = scene();
  open("robin", undefined);
  await vi.advanceTimersByTimeAsync(LOOK_MS);
  expect(told).toEqual(["robin ended"]);
});

test("a team keeps its newest 512 streams, of all its connections together, and takes none from another team", () => {
  const { state, told, open } = scene();
  state.team = "sams";
  open("sam", "a list");
  state.team = "acme";
  for (let n = 0; n < 512; n += 1) open(`robin ${n}`, "a list");
  expect(told).toEqual([]);
  open("one more", "a list");
  open("and another", "a list");
  expect(told).toEqual(["robin 0 ended", "robin 1 ended"]);
});
