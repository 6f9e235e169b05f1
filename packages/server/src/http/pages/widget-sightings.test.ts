import { expect, test } from "vitest";
import { SIGHTING_STEP_MS, widgetSightings } from "./widget-sightings.ts";

const ONE = "01980000-0000-7000-8000-000000000001";
const OTHER = "01980000-0000-7000-8000-000000000002";
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
    for (let page = 0; page < 1_000; page += 1) seen.look(shop, ONE);
    seen.look(shop, OTHER);
  };
  load();
  expect(noted).toEqual([`${ONE} https://www.acme.test`, `${OTHER} https://www.acme.test`]);
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
  seen.look(shop, ONE);
  await expect.poll(() => troubles.length).toBe(1);
  away = false;
  seen.look(shop, ONE);
  expect(noted).toHaveLength(1);
});

test("below another site's address only our pages are ours", () => {
  const { seen, noted } = sightings();
  const from = (page: string) => ({ ...shop, headers: { referer: `https://acme.test${page}` } });
  for (const page of ["/chat/demo/7", "/chat/app/inbox", "/chat/frame/7"]) seen.look(from(page), ONE);
  seen.look(from("/demo/"), ONE);
  seen.look(from("/chat/"), OTHER);
  expect(noted).toEqual([`${ONE} https://acme.test`, `${OTHER} https://acme.test`]);
});

test("what is no id is neither looked up nor remembered, and an id is one in capitals too", () => {
  const { seen, noted } = sightings();
  for (const id of ["", "x", "x".repeat(15_000), `${ONE}x`, ` ${ONE}`]) seen.look(shop, id);
  expect(noted).toEqual([]);
  seen.look(shop, ONE.toUpperCase());
  seen.look(shop, ONE);
  expect(noted).toEqual([`${ONE} https://www.acme.test`]);
});
