import { startHostileIdp } from "@frontdesk/testing/hostile-idp";
import { query } from "@frontdesk/testing/second-app";
import { ssoScene } from "@frontdesk/testing/sso-scene";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { afterAll, expect, test } from "vitest";
import { checkSso } from "./check-sso.ts";

const idp = await startHostileIdp();
const allowed = { allowedNetworks: ["127.0.0.0/8"], extraCa: idp.ca };
const kit = await startTestApp({ SSO_ALLOWED_NETWORKS: "127.0.0.0/8" }, { extraCa: idp.ca });
afterAll(() => idp.close());

test("doctor asks each provider that is on, and says what it lacks and what to do", async () => {
  expect(await checkSso(kit.storage, allowed)).toMatchObject({ state: "note", says: "No team uses it." });
  const scene = await ssoScene(kit, idp);
  expect(await checkSso(kit.storage, allowed)).toMatchObject({ state: "ok", says: "The provider answers." });
  const found = async () => (await checkSso(kit.storage, allowed)).says;
  idp.manner = "with-500";
  expect(await found()).toBe(`Acme ID (${idp.issuer}) does not answer.`);
  idp.manner = "well";
  idp.document = { issuer: "https://evil.example" };
  expect(await found()).toContain("is no OpenID Connect provider with this issuer");
  idp.document = {};
  const closed = await checkSso(kit.storage, { ...allowed, allowedNetworks: [] });
  expect(closed).toMatchObject({ state: "warning", do: expect.stringContaining("npx frontdesk sso off") });
  expect(closed.says).toContain("SSO_ALLOWED_NETWORKS");
  // Someone has changed the database by hand.
  await query(kit.storage, `UPDATE sso_domains SET required_at = 1 WHERE team_id = '${scene.acme.teamId}'`);
  expect(await found()).toBe("no owner of Acme keeps a password.");
  await query(kit.storage, "UPDATE sso_providers SET is_on = 0");
  await query(kit.storage, "UPDATE sso_domains SET required_at = NULL");
  expect(await checkSso(kit.storage, allowed)).toMatchObject({ state: "note" });
});
