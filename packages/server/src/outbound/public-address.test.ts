/** The list of addresses that requests must and must not go to, and whole ranges of them at random. */
import { array, assert, bigInt, integer, ipV6, oneof, property, tuple } from "fast-check";
import { expect, test } from "vitest";
import { isPublicAddress } from "./public-address.ts";

test.each([
  // IPv4: the first and the last of each range, and addresses with known services
  ...["0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200", "100.127.255.255"],
  ...["127.0.0.1", "127.255.255.255", "168.63.129.16", "169.254.0.0", "169.254.169.254", "169.254.170.2"],
  ...["169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.0.255", "192.0.2.1"],
  ...["192.31.196.1", "192.52.193.1", "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255"],
  ...["192.175.48.1", "198.18.0.0", "198.19.255.255", "198.51.100.1", "203.0.113.255", "224.0.0.0"],
  ...["239.255.255.255", "240.0.0.0", "255.255.255.254", "255.255.255.255"],
  // IPv6
  ...["::", "::1", "::2", "1::1", "ff::1", "100::", "100::1", "200::1", "1fff:ffff::1"],
  ...["2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001:1::1", "2001:1::2", "2001:1::3", "2001:2::1"],
  ...["2001:4:112::1", "2001:10::1", "2001:1f:ffff::1", "2001:20::1", "2001:2f:ffff::1", "2001:30::1"],
  ...["2001:1ff:ffff::1", "2001:db8::1", "2001:db8:ffff:ffff::1", "2620:4f:8000::1", "2620:4f:8000:ffff::1"],
  ...["3fff::1", "3fff:fff:ffff::1", "4000::1", "5f00::1", "8000::1", "e000::1", "fc00::1", "fd00:ec2::254"],
  ...["fdff:ffff::1", "fe80::1", "fe80::5efe:127.0.0.1", "febf::1", "fec0::1", "feff::1", "ff02::1", "ffff::1"],
  // IPv4 within IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo, ISATAP
  ...["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:a9fe:a9fe", "::ffff:8.8.8.8", "0:0:0:0:0:ffff:7f00:1"],
  ...["::127.0.0.1", "::7f00:1", "::8.8.8.8", "::ffff:0:7f00:1", "::ffff:0:808:808"],
  ...[
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "64:ff9b:1:ffff::7f00:1",
    "2002:7f00:1::",
    "2002:808:808::1",
  ],
  ...["::5efe:7f00:1", "2606:4700::5efe:7f00:1", "2606:4700:0:1:0:5efe:7f00:1", "2606:4700:0:1:200:5efe:127.0.0.1"],
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  // Beside each of those ranges
  ...["1.1.1.1", "8.8.8.8", "93.184.216.34", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"],
  ...["126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0"],
  ...["172.15.255.255", "172.32.0.1", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0"],
  ...["192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "198.51.99.255", "198.51.101.0"],
  ...["203.0.112.255", "203.0.114.0", "223.255.255.255"],
  ...["2000::1", "2001:200::1", "2001:db7:ffff::1", "2001:db9::1", "2003::1", "2001:4860:4860::8888"],
  ...["2606:4700:4700::1111", "2620:4f:7fff::1", "2620:4f:8001::1", "3fff:1000::1", "2606:4700::5efe:1:7f00:1"],
])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(["", " ", "127.1", "8.8.8", "08.8.8.8", "8.8.8.8 ", "8.8.8.8.", "8.8.8.8/32", "0x8080808", "134744072"])(
  "what is no address as the system writes it is not public: %j",
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

test.each(["example.com", "[2606:4700::1]", "2606:4700::1%eth0", "fe80::1%lo", "2606:4700:::1", "2606:4700::1::"])(
  "nor is a name, a bracket or a zone: %j",
  (text) => {
    expect(isPublicAddress(text)).toBe(false);
  },
);

test.each([
  ["::", 8],
  ["::", 96],
  ["::ffff:0:0", 96],
  ["::ffff:0:0:0", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 8],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
  ["4000::", 2],
  ["8000::", 1],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
])("nothing in %s/%i is public, whatever the other bits are", (network, width) => {
  const free = 128n - BigInt(width);
  assert(
    property(bigInt({ min: 0n, max: (1n << free) - 1n }), (rest) => {
      const start = (numberOf(network) >> free) << free;
      expect(isPublicAddress(textOf(start | rest))).toBe(false);
    }),
  );
});

test("no form of IPv6 that carries an IPv4 address is public, whichever address that is", () => {
  const ipv4 = integer({ min: 0, max: 0xffffffff }).map((number) => BigInt(number));
  const network = bigInt({ min: numberOf("2600::") >> 64n, max: numberOf("2cff:ffff:ffff:ffff::") >> 64n });
  const forms = oneof(
    ipv4,
    ipv4.map((inner) => numberOf("::ffff:0:0") | inner),
    ipv4.map((inner) => numberOf("::ffff:0:0:0") | inner),
    ipv4.map((inner) => numberOf("64:ff9b::") | inner),
    ipv4.map((inner) => numberOf("2002::") | (inner << 80n)),
    // Teredo holds it with every bit turned.
    ipv4.map((inner) => numberOf("2001::") | (inner ^ 0xffffffffn)),
    tuple(network, ipv4).map(([prefix, inner]) => (prefix << 64n) | (0x5efen << 32n) | inner),
    tuple(network, ipv4).map(([prefix, inner]) => (prefix << 64n) | (0x2005efen << 32n) | inner),
  );
  assert(
    property(forms, (address) => !isPublicAddress(textOf(address))),
    { numRuns: 1_000 },
  );
});

test("an IPv6 address outside 2000::/3 is never public, however it is written", () => {
  assert(
    property(ipV6(), (address) => {
      if (numberOf(address) >> 125n !== 1n) expect(isPublicAddress(address)).toBe(false);
    }),
  );
});

test("every IPv4 address has the verdict of the plain arithmetic", () => {
  // Numbers from the same list, and a decision that shares no code with the one that is tested.
  const ranges: [number, number][] = [
    [0x00000000, 8],
    [0x0a000000, 8],
    [0x64400000, 10],
    [0x7f000000, 8],
    [0xa83f8110, 32],
    [0xa9fe0000, 16],
    [0xac100000, 12],
    [0xc0000000, 24],
    [0xc0000200, 24],
    [0xc01fc400, 24],
    [0xc034c100, 24],
    [0xc0586300, 24],
    [0xc0a80000, 16],
    [0xc0af3000, 24],
    [0xc6120000, 15],
    [0xc6336400, 24],
    [0xcb007100, 24],
    [0xe0000000, 3],
  ];
  const near = oneof(...ranges.map(([start]) => integer({ min: -2, max: 2 }).map((by) => Math.max(0, start + by))));
  const any = array(integer({ min: 0, max: 255 }), { minLength: 4, maxLength: 4 }).map(
    ([a = 0, b = 0, c = 0, d = 0]) => ((a << 24) | (b << 16) | (c << 8) | d) >>> 0,
  );
  assert(
    property(oneof(near, any), (number) => {
      const special = ranges.some(
        ([start, width]) => Math.floor(number / 2 ** (32 - width)) === start / 2 ** (32 - width),
      );
      const text = [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join(".");
      expect({ text, isPublic: isPublicAddress(text) }).toEqual({ text, isPublic: !special });
    }),
    { numRuns: 2_000 },
  );
});

/** The 128 bits of an IPv6 address, its end perhaps written as IPv4. */
function numberOf(text: string): bigint {
  const plain = text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes) => {
    const [a, b, c, d] = bytes.slice(0, 4).map(Number) as [number, number, number, number];
    return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
  });
  const [front = [], back = []] = plain.split("::").map((half) => half.split(":").filter(Boolean));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  return [...front, ...zeros, ...back].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

/** As the system writes it: the longest row of zeros left out. */
function textOf(address: bigint): string {
  const groups = Array.from({ length: 8 }, (_, at) => ((address >> BigInt(112 - 16 * at)) & 0xffffn).toString(16));
  return new URL(`https://[${groups.join(":")}]/`).hostname.slice(1, -1);
}
