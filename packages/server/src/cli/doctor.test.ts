import { openBin } from "@frontdesk/testing/frontdesk-bin";
import { expect, test } from "vitest";

const shop = await openBin();

test("doctor beside the running server says that all is well, with code 0; with a problem it ends with code 1", async () => {
  const { port } = await shop.serve();
  const { code, stdout } = await shop.run(["doctor", "--json"], { PORT: port });
  const { ok, checks } = JSON.parse(stdout);
  expect([code, ok]).toEqual([0, true]);
  expect(checks).toContainEqual({
    name: "public address",
    state: "ok",
    says: `http://127.0.0.1:${port} responds.`,
  });

  const said = await shop.run(["doctor"], { PORT: "x", LOG_LEVEL: "loud" });
  expect(said).toMatchObject({ code: 1, stderr: "" });
  expect(said.stdout).toMatch(/^✗ settings: PORT is "x".*\n {4}LOG_LEVEL is "loud".*\n {4}→ Fix them/);
  expect(said.stdout).toMatch(/\n✓ storage: /);
  expect(said.stdout).toMatch(/\n1 problem to fix\.\n$/);
});
