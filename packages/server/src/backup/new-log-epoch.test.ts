/** What ends with a restore: streams at a number that no longer exists, sessions, and apps. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp, restoreInto } from "@frontdesk/testing/backups";
import { listen } from "@frontdesk/testing/live-client";
import { listTools, oauthApp, registeredApp } from "@frontdesk/testing/oauth-app";
import { appOn, query } from "@frontdesk/testing/second-app";
import { addApp, trustBrowser } from "@frontdesk/testing/second-factor";
import { asPage, signedIn } from "@frontdesk/testing/signed-in";
import { openTestStorage, startTestApp } from "@frontdesk/testing/test-kit";
import { veraWrites } from "@frontdesk/testing/vera";
import { afterAll, expect, test } from "vitest";
import { requestPasswordReset } from "../sessions/request-password-reset.ts";

const folder = mkdtempSync(join(tmpdir(), "frontdesk-test-epoch-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a client that reconnects after a restore gets `reset`, also at a number that the log has again", async () => {
  const { app, storage, runtime, team } = await startTestApp();
  const acme = await team();
  await veraWrites(acme);
  const hello = { token: acme.apiKey };
  const before = await (await listen(await app.start(), hello)).heard("ready");
  const file = join(folder, "data.backup");
  await storage.read((db) => backUp(db, file));
  await app.close();

  const restored = await openTestStorage();
  await restoreInto(restored.storage, file, { dataDir: restored.dataDir });
  const origin = await (await appOn({ storage: restored.storage, runtime })).start();
  const stream = await listen(origin, { ...hello, since: before.number, epoch: before.epoch });
  const reset = await stream.heard("reset");
  expect(reset.number).toBe(before.number);
  expect(reset.epoch).not.toBe(before.epoch);
  const again = await listen(origin, { ...hello, since: reset.number, epoch: reset.epoch });
  expect(await again.heard("ready")).toEqual({ type: "ready", number: reset.number, epoch: reset.epoch });
  expect(again.frames.map(({ type }) => type)).not.toContain("reset");
});

test("no agent is signed in after a restore, no browser is trusted and no password link works: they may have ended since the backup", async () => {
  const kit = await startTestApp();
  const acme = await kit.team();
  const mia = await signedIn(kit, acme);
  const asked = { agentId: mia.actor.agentId, resetUrl: (token: string) => token, mail: false };
  await kit.app.perform(acme.actor, requestPasswordReset, asked);
  const { recoveryCodes } = await addApp(kit, mia);
  expect(recoveryCodes).toHaveLength(10);
  await trustBrowser(kit, mia);
  await expect(mia.again()).rejects.toThrow("second step");
  const file = join(folder, "signed-in.backup");
  await kit.storage.read((db) => backUp(db, file));
  await mia.post("/sign-out");

  const restored = await openTestStorage();
  await restoreInto(restored.storage, file, { dataDir: restored.dataDir });
  const app = await appOn({ storage: restored.storage, runtime: kit.runtime });
  expect((await asPage({ app }, "GET", "/me", { headers: { cookie: mia.cookie } })).status).toBe(401);
  expect(await query(restored.storage, "SELECT * FROM password_resets")).toEqual([]);
  for (const [table, rows] of [
    ["second_steps", 0],
    ["known_browsers", 0],
    ["authenticator_apps", 1],
    ["recovery_codes", 9],
  ] as const) {
    expect(await query(restored.storage, `SELECT * FROM ${table}`), table).toHaveLength(rows);
  }
  const lines = await query(restored.storage, "SELECT action FROM audit_log");
  expect(lines).toContainEqual({ action: "start-session" });
});

test("no app is connected after a restore: its tokens may have been replaced since; its id and its connection stay", async () => {
  const kit = await startTestApp();
  const admin = await signedIn(kit, await kit.team(), "CHAT_AGENT_ADMIN");
  const robin = await registeredApp(kit);
  const { access, refresh } = await robin.connect(admin);
  const file = join(folder, "connected.backup");
  await kit.storage.read((db) => backUp(db, file));

  const restored = await openTestStorage();
  await restoreInto(restored.storage, file, { dataDir: restored.dataDir });
  const app = await appOn({ storage: restored.storage, runtime: kit.runtime });
  expect((await listTools(kit, access)).status).toBe(200);
  expect((await listTools({ app }, access)).status).toBe(401);
  const again = oauthApp({ app }, robin);
  expect((await again.refresh(refresh)).body.error).toBe("invalid_grant");
  for (const table of ["app_grants", "app_tokens"])
    expect(await query(restored.storage, `SELECT * FROM ${table}`), table).toEqual([]);
  expect((await again.authorize()).headers.location).toMatch(/connect\?request=/);
  expect(await query(restored.storage, "SELECT name, state FROM assistants")).toEqual([
    { name: "Robin", state: "active" },
  ]);
});
