import { namesOf } from "@frontdesk/testing/https-receiver";
import { expect, test } from "vitest";
import { allowedNetworks } from "./allowed-networks.ts";
import { BlockedAddress, createGuard, NameNotFound } from "./vetted-lookup.ts";

function guardOf(table: Record<string, string[]>, allowed: string[] = []) {
  const names = namesOf(table);
  return { ...createGuard({ allowed: allowedNetworks(allowed), lookup: names.lookup }), asked: names.asked };
}

test("a name leads to its public addresses, in the order of the lookup", async () => {
  const { addressesOf } = guardOf({ "hooks.acme.test": ["8.8.8.8", "2606:4700::1111", "1.1.1.1"] });
  expect(await addressesOf("hooks.acme.test")).toEqual(["8.8.8.8", "2606:4700::1111", "1.1.1.1"]);
});

test.each([
  [["10.0.0.1"]],
  [["8.8.8.8", "127.0.0.1"]],
  [["169.254.169.254", "8.8.8.8"]],
  [["8.8.8.8", "fd00::1"]],
  [["8.8.8.8", "::ffff:8.8.8.8"]],
  [["2606:4700::1111", "64:ff9b::808:808"]],
])("a name is blocked when any of its addresses is: %j", async (addresses) => {
  const { addressesOf } = guardOf({ "hooks.acme.test": addresses });
  await expect(addressesOf("hooks.acme.test")).rejects.toThrow(BlockedAddress);
});

test("the error of a blocked name holds no address", async () => {
  const { addressesOf } = guardOf({ "hooks.acme.test": ["10.11.12.13"] });
  const error = await addressesOf("hooks.acme.test").catch((reason: Error) => reason);
  expect(JSON.stringify([String(error), error])).not.toContain("10.11");
});

test("a name without addresses is not found, and says what the lookup said", async () => {
  const { addressesOf } = guardOf({ "empty.acme.test": [] });
  await expect(addressesOf("empty.acme.test")).rejects.toThrow(NameNotFound);
  await expect(addressesOf("missing.acme.test")).rejects.toMatchObject({ cause: { code: "ENOTFOUND" } });
});

test("a dot at the end of a name changes nothing", async () => {
  const { addressesOf, asked } = guardOf({ "hooks.acme.test": ["8.8.8.8"] });
  expect(await addressesOf("hooks.acme.test.")).toEqual(["8.8.8.8"]);
  await expect(addressesOf("localhost.")).rejects.toThrow(BlockedAddress);
  expect(asked).toEqual(["hooks.acme.test"]);
});

const LOCAL = ["localhost", "foo.localhost", "redis", "printer.local", "metadata.google.internal", "nas.home.arpa"];

test.each([...LOCAL, "LOCALHOST", "kubernetes.default.svc", "kubernetes.default.svc.cluster.local", ""])(
  "the name %j is of a machine or its network: it is blocked and never asked for",
  async (name) => {
    const { addressesOf, asked } = guardOf(Object.fromEntries([...LOCAL, name].map((key) => [key, ["8.8.8.8"]])));
    await expect(addressesOf(name)).rejects.toThrow(BlockedAddress);
    expect(asked).toEqual([]);
  },
);

test.each(["locally.example", "notlocalhost.example", "internal.example", "local.example", "svc.example"])(
  "the name %j only looks like one",
  async (name) => {
    expect(await guardOf({ [name]: ["8.8.8.8"] }).addressesOf(name)).toEqual(["8.8.8.8"]);
  },
);

test("with own networks allowed, a local name leads there and nowhere else", async () => {
  const { addressesOf } = guardOf(
    { app: ["10.1.0.5"], db: ["10.2.0.5"], both: ["10.1.0.5", "10.2.0.5"], out: ["8.8.8.8"] },
    ["10.1.0.0/16"],
  );
  expect(await addressesOf("app")).toEqual(["10.1.0.5"]);
  for (const name of ["db", "both", "out", "missing", "localhost"]) {
    await expect(addressesOf(name), name).rejects.toThrow(BlockedAddress);
  }
});

test("localhost is this machine by itself, by the addresses that are allowed", async () => {
  const here = { localhost: ["10.9.9.9"] };
  expect(await guardOf(here, ["127.0.0.0/8"]).addressesOf("localhost")).toEqual(["127.0.0.1"]);
  expect(await guardOf(here, ["127.0.0.0/8", "::1"]).addressesOf("a.localhost.")).toEqual(["127.0.0.1", "::1"]);
});

test("a public name may lead to an own network that is allowed, and to the internet beside it", async () => {
  const { addressesOf } = guardOf({ "hooks.acme.test": ["10.1.0.5", "8.8.8.8"] }, ["10.1.0.0/16"]);
  expect(await addressesOf("hooks.acme.test")).toEqual(["10.1.0.5", "8.8.8.8"]);
});
