/** Hosts that lead inside: to this machine, to its networks, or to what a cloud keeps there. */

/** Addresses in every way of writing. */
export const INNER_ADDRESSES: readonly string[] = [
  ...[
    "127.0.0.1",
    "2130706433",
    "0x7f000001",
    "0x7f.0.0.1",
    "0X7F.1",
    "017700000001",
    "0177.0.0.1",
    "127.1",
    "127.0.1",
  ],
  ...["127.0.0.1.", "%31%32%37.0.0.1", "①②⑦.⓪.⓪.①", "127。0。0。1", "127.255.255.254", "0", "0.0.0.0", "0x0", "00"],
  ...["[::1]", "[::]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[::7f00:1]"],
  ...["[::ffff:0:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "[fe80::1]", "[fc00::1]", "[ff02::1]"],
  ...["3232235521", "2852039166", "0xA9FEA9FE", "169.254.169.254", "10.0.0.1", "192.168.0.1", "172.16.0.1"],
  ...["100.100.100.200", "168.63.129.16", "[fd00:ec2::254]", "224.0.0.1", "255.255.255.255", "[4000::1]", "[e000::1]"],
];

/** Names that need not be looked up. */
export const INNER_NAMES: readonly string[] = [
  ...["localhost", "LOCALHOST", "localhost.", "ｌｏｃａｌｈｏｓｔ", "foo.localhost", "loc%61lhost", "redis", "redis."],
  ...["printer.local", "metadata.google.internal", "metadata.google.internal.", "kubernetes.default.svc", "."],
];
