import { expect, test } from "vitest";
import { SIGHTING_STEP_MS, widgetSightings } from "./widget-sightings.ts";

const shop = { headers: { referer: "https://www.acme.test/" }, protocol: "https", host: "chat.test" } as const;

function sightings({ fails = () => false }: { fails?(): boolean } = {}) {
  const noted: string[] = [];
  const troubles: unknown[] = [];
  let now = 0;
  const seen = widgetSightings({
    publicUrl: "https://acme.test/chat",
    now: () => now,
    async note(widgetId, { site }) {
      if (fails()) throw new Error("The storage is away.");
      noted.push(`${widgetId} ${site}`);
    },
    onTrouble: (error) => troubles.push(error),
  });
  return { seen, noted, troubles, pass: (ms: number) => (now += ms) };
}

test("a widget is noted at most once in five minutes, however many pages load it", () => {
  const { seen, noted, pass } = sightings();
  const load = () => {
    for (let page = 0; page < 1_000; page += 1) seen.look(shop, "one");
    seen.look(shop, "other");
  };
  load();
  expect(noted).toEqual(["one https://www.acme.test", "other https://www.acme.test"]);
  pass(SIGHTING_STEP_MS - 1);
  load();
  expect(noted).toHaveLength(2);
  pass(1);
  load();
  expect(noted).toHaveLength(4);
});

test("what could not be noted is noted with the next visit", async () => {
  let away = true;
  const { seen, noted, troubles } = sightings({ fails: () => away });
  seen.look(shop, "one");
  await expect.poll(() => troubles.length).toBe(1);
  away = false;
  seen.look(shop, "one");
  expect(noted).toHaveLength(1);
});

test("below somebody's own site only our pages are ours", () => {
  const { seen, noted } = sightings();
  const from = (page: string) => ({ ...shop, headers: { referer: `https://acme.test${page}` } });
  for (const page of ["/chat/demo/7", "/chat/app/inbox", "/chat/frame/7"]) seen.look(from(page), "ours");
  seen.look(from("/demo/"), "theirs");
  seen.look(from("/chat/"), "theirs as well");
  expect(noted).toEqual(["theirs https://acme.test", "theirs as well https://acme.test"]);
});
