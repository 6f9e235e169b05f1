/** Changes made while others are on their way to the service, which performs requests in any order. */
import { expect, test } from "vitest";
import { optimisticValue } from "./optimistic-value.ts";

interface Choices {
  sound?: boolean;
  notify?: "all" | "mine";
}

/** A service that performs requests when the test says so, and the value that a screen shows. */
function service() {
  let stored: Choices = {};
  let shown: Choices = {};
  let refused = 0;
  const requests: { perform(): void; fail(): void }[] = [];
  const request = <Answer>(act: () => Answer) =>
    new Promise<Answer>((resolve, reject) => {
      requests.push({ perform: () => resolve(act()), fail: () => reject(new Error("No network.")) });
    });
  const value = optimisticValue<Choices>({
    get: () => request(() => stored),
    put: (next) =>
      request(() => {
        stored = next;
      }),
    shown: () => shown,
    show(next) {
      shown = next;
    },
    onRefused() {
      refused += 1;
    },
  });
  return {
    choose: (changes: Choices) => value.choose({ ...shown, ...changes }),
    async fetch() {
      shown = await value.fetch();
    },
    /** Performs requests until none is left, the latest first. */
    async performAll() {
      for (let next = requests.pop(); next; next = requests.pop()) {
        next.perform();
        await settled();
      }
    },
    requests,
    get state() {
      return { stored, shown, refused };
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("of two choices within one answer both are stored, whichever request is performed first", async () => {
  const preferences = service();
  preferences.choose({ sound: false });
  preferences.choose({ notify: "mine" });
  expect(preferences.state.shown).toEqual({ sound: false, notify: "mine" });
  await preferences.performAll();
  expect(preferences.state.stored).toEqual({ sound: false, notify: "mine" });
});

test("what is fetched meanwhile takes nothing away that was chosen", async () => {
  const preferences = service();
  const before = preferences.fetch();
  preferences.choose({ sound: false });
  const [fetch, store] = preferences.requests.splice(0);
  fetch?.perform();
  await before;
  expect(preferences.state.shown).toEqual({ sound: false });
  // Requested before it was stored, and answered afterwards.
  const meanwhile = preferences.fetch();
  const [late] = preferences.requests.splice(0);
  late?.perform();
  store?.perform();
  await meanwhile;
  preferences.choose({ notify: "mine" });
  await settled();
  await preferences.performAll();
  expect(preferences.state).toMatchObject({ stored: { sound: false, notify: "mine" }, refused: 0 });
});

test("a value that could not be stored is sent with the next choice, and fetched again where there is none", async () => {
  const preferences = service();
  preferences.choose({ sound: false });
  preferences.choose({ notify: "mine" });
  preferences.requests.pop()?.fail();
  await settled();
  expect(preferences.state.refused).toBe(0);
  await preferences.performAll();
  expect(preferences.state.stored).toEqual({ sound: false, notify: "mine" });
  preferences.choose({ sound: true });
  preferences.requests.pop()?.fail();
  await settled();
  expect(preferences.state.refused).toBe(1);
});
