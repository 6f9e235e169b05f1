import { passkeyDevice } from "@frontdesk/testing/passkey-device";
import { newBrowser, withPassword } from "@frontdesk/testing/second-factor";
import { startTestApp } from "@frontdesk/testing/test-kit";
import { expect, test } from "vitest";
import { checkPasskeys } from "./check-passkeys.ts";

const kit = await startTestApp({ TRUST_PROXY: "1" });

test("passkeys of another host than that of PUBLIC_URL are a warning with what to do", async () => {
  const { browser } = await withPassword(kit, await kit.team());
  const { options } = (await browser.post("/me/passkeys/options")).body;
  const response = passkeyDevice("https://chat.test").create(options);
  expect((await browser.post("/me/passkeys", { name: "Phone", response })).status).toBe(200);
  expect(await checkPasskeys(kit.storage, "https://chat.test")).toMatchObject({ state: "ok" });
  for (const elsewhere of ["https://desk.test", "http://192.0.2.7:8080"]) {
    const check = await checkPasskeys(kit.storage, elsewhere);
    expect(check).toMatchObject({
      state: "warning",
      says: expect.stringMatching(/^1 passkey was made for another host/),
    });
    expect(check.do).toContain("reset-factors");
  }
});

test("an address without passkeys is a note while there are none", async () => {
  const fresh = await startTestApp();
  expect(await checkPasskeys(fresh.storage, "http://192.0.2.7:8080")).toMatchObject({ state: "note" });
  expect((await newBrowser(kit).post("/sign-in/passkey/options")).body.options).toMatchObject({ rpId: "chat.test" });
});
