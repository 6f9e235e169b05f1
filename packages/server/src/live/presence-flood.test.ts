/** A flood by one team's visitors delays the presence of that team alone (docs/decisions/0030-presence-by-team.md). */

import { browser } from "@frontdesk/testing/browser-visitor";
import { listen } from "@frontdesk/testing/live-client";
import { appOn } from "@frontdesk/testing/second-app";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { contactOf } from "@frontdesk/testing/vera";
import { expect, test } from "vitest";
import type { Storage } from "../storage/database.ts";

const { app, storage, runtime, team } = await startTestApp();

test("while one team's visitors flood a slow store with pages, another team's presence goes on being noted; of theirs the latest page is", async () => {
  const [acme, globex] = [await team(), await team()];
  const [vera, sam] = [browser(app, acme), browser(app, globex)];
  const verasId: string = (await vera.write("Hello")).body.contact.id;
  const samsId: string = (await sam.write("Hello")).body.contact.id;
  const slow = Promise.withResolvers<void>();
  let writes = 0;
  const slowStore: Storage = Object.create(storage, {
    write: {
      async value(teamId: string | null, ...rest: unknown[]) {
        if (teamId === acme.teamId) {
          writes += 1;
          await slow.promise;
        }
        return (storage.write as (...args: unknown[]) => unknown)(teamId, ...rest);
      },
    },
    close: { value: async () => {} },
  });
  const origin = await (await appOn({ storage: slowStore, runtime })).start();

  const veras = await listen(origin, { token: vera.token, widget_id: acme.widgetId });
  await veras.heard("ready");
  // Her arrival is being written, and does not end.
  await expect.poll(() => writes).toBeGreaterThan(0);
  for (let n = 1; n <= 28; n += 1) veras.send({ type: "page", url: `https://acme.test/${n}`, title: "Shop" });
  const ada = await listen(origin, { token: acme.apiKey });
  await expect.poll(() => JSON.stringify(ada.frames)).toContain("https://acme.test/28");

  const sams = await listen(origin, { token: sam.token, widget_id: globex.widgetId });
  await sams.heard("ready");
  await expect.poll(() => contactOf(globex, samsId)).toMatchObject({ online_status: "online" });

  slow.resolve();
  const pages = async () => (await contactOf(acme, verasId)).page_visited.map(({ page }: { page: string }) => page);
  await expect.poll(pages).toEqual(["https://acme.test/28"]);
  expect(await contactOf(acme, verasId)).toMatchObject({ online_status: "online" });
});
