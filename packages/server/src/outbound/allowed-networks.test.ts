import { expect, test } from "vitest";
import { readAddressRange } from "./address-range.ts";
import { allowedNetworks } from "./allowed-networks.ts";

test("nothing is allowed when nothing is set", () => {
  const nothing = allowedNetworks([]);
  expect(nothing.none).toBe(true);
  expect(["127.0.0.1", "10.0.0.1", "8.8.8.8", "::1"].filter(nothing.include)).toEqual([]);
});

test("what is allowed is the networks and the addresses that are listed, and nothing beside them", () => {
  const { include, none } = allowedNetworks(["10.1.0.0/16", "192.168.7.7", "127.0.0.0/8", "fd12:3456::/32", "::1"]);
  expect(none).toBe(false);
  const inside = ["10.1.0.0", "10.1.255.255", "192.168.7.7", "127.0.0.1", "fd12:3456::1", "fd12:3456:ffff::1", "::1"];
  expect(inside.filter(include)).toEqual(inside);
  const outside = ["10.0.255.255", "10.2.0.0", "192.168.7.6", "192.168.7.8", "126.255.255.255", "fd12:3457::1", "::2"];
  expect(outside.filter(include)).toEqual([]);
  expect(["", "localhost", "10.1.0.1/32", "10.1", "fd12:3456::1%eth0"].filter(include)).toEqual([]);
});

test("IPv4 in IPv6's clothes is never allowed: it can be written plainly", () => {
  for (const entry of ["127.0.0.0/8", "::ffff:0:0/96", "::ffff:127.0.0.1", "::/1"]) {
    expect(["::ffff:127.0.0.1", "::ffff:7f00:1"].filter(allowedNetworks([entry]).include), entry).toEqual([]);
  }
});

test.each([
  ["0.0.0.0", ["0.0.0.0/1", "0.0.0.0/8", "0.0.0.0/31"], ["0.0.0.0", "0.0.0.0/32"]],
  ["::", ["::/1", "::/96", "::/127"], ["::", "::/128"]],
  ["224.0.0.251", ["128.0.0.0/1", "224.0.0.0/4", "224.0.0.0/24"], ["224.0.0.251"]],
  ["255.255.255.255", ["128.0.0.0/1", "240.0.0.0/4"], ["255.255.255.255"]],
  ["ff02::1", ["8000::/1", "ff00::/8", "ff02::/16"], ["ff02::1"]],
  ["127.0.0.1", ["0.0.0.0/1", "126.0.0.0/7"], ["127.0.0.0/8", "127.0.0.1/32", "127.0.0.1"]],
  ["::1", ["::/1", "::/64"], ["::1"]],
  ["169.254.169.254", ["128.0.0.0/1", "169.0.0.0/8"], ["169.254.0.0/16", "169.254.169.254"]],
  ["fe80::1", ["8000::/1", "fe00::/8"], ["fe80::/10", "fe80::1"]],
  ["168.63.129.16", ["128.0.0.0/1", "168.63.0.0/16"], ["168.63.129.16"]],
  ["100.100.100.200", ["100.64.0.0/10"], ["100.100.100.200"]],
  ["fd00:ec2::254", ["fc00::/7", "fd00:ec2::/32"], ["fd00:ec2::254"]],
])("a wide network does not take %s along; an entry that means it does", (address, wide, meant) => {
  expect(wide.filter((entry) => allowedNetworks([entry]).include(address))).toEqual([]);
  expect(meant.filter((entry) => allowedNetworks([entry]).include(address))).toEqual(meant);
});

test("what is no network is not read as one", () => {
  const wrong = [
    "",
    "10.0.0.0/",
    "10.0.0.0/0",
    "10.0.0.0/33",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
    "10/8",
    "::/129",
    "::/1a",
  ];
  expect([...wrong, "localhost", "fe80::1%eth0", "[::1]", "10.0.0.1-9"].filter(readAddressRange)).toEqual([]);
  expect(() => allowedNetworks(["localhost"])).toThrow("localhost");
});
