import { expect, test } from "vitest";
import { FOLDERS, filesOf, folderOf, server } from "./server-folders.ts";
import { type SourceFile, sourceFiles } from "./source-files.ts";

const core = sourceFiles("packages/core/src");
const client = sourceFiles("packages/client/src");

test("every folder of the server is classified, and every class has its folder", () => {
  const folders = new Set(server.map(({ path }) => folderOf(path)).filter((folder) => folder !== undefined));
  expect([...folders].sort()).toEqual(Object.keys(FOLDERS).sort());
});

test("what translates and what leads outside never reaches into the storage", () => {
  const files = filesOf("surface", "outside");
  expect(files.length).toBeGreaterThan(100);
  // A surface may use a port as a type (`check()` of /health/ready), but neither SQL nor tables.
  const allowed = new Set(["packages/server/src/storage/database.ts"]);
  for (const { path, imports } of files) {
    const forbidden = imports.filter(
      (name) => (/\/storage\//.test(name) && !allowed.has(name)) || /-store\.ts$/.test(name),
    );
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

/** The groups of `http/` that may import another; no others, and `framework` none at all. */
const HTTP_GROUPS: Record<string, string[]> = {
  files: [],
  framework: [],
  // The join page signs in the new agent; the reference shows the path of the REST API; visitors download their own data.
  pages: ["session", "rest", "files"],
  oauth: [],
  rest: ["visitor"],
  inbound: [],
  session: [],
  tools: [],
  visitor: [],
};

test("http/ has no file outside of its groups, and a group knows the framework and the groups that it may", () => {
  const group = (path: string) => /^packages\/server\/src\/http\/(?:([\w-]+)\/)?/.exec(path)?.[1];
  const files = server.filter(({ path }) => path.startsWith("packages/server/src/http/"));
  expect([...new Set(files.map(({ path }) => group(path)))].sort()).toEqual(Object.keys(HTTP_GROUPS).sort());
  for (const { path, imports } of files) {
    const own = group(path) as string;
    const known = [own, "framework", ...(HTTP_GROUPS[own] ?? [])];
    const forbidden = imports.filter(
      (name) => name.startsWith("packages/server/src/http/") && !known.includes(group(name) ?? ""),
    );
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("core/domain imports nothing from outside itself", () => {
  for (const { path, imports } of core.filter(({ path }) => path.startsWith("packages/core/src/domain/"))) {
    const forbidden = imports.filter((name) => !name.startsWith("packages/core/src/domain/"));
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("core knows neither the server nor the client, and does no I/O", () => {
  for (const { path, imports } of core) {
    const forbidden = imports.filter((name) => !name.startsWith("packages/core/") && name !== "typebox");
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("the client knows only core", () => {
  for (const { path, imports } of client) {
    const forbidden = imports.filter(
      (name) => !name.startsWith("packages/client/") && !name.startsWith("@frontdesk/core"),
    );
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("the widget loads the client's part for visitors, and of core nothing", () => {
  const widget = sourceFiles("packages/widget/src", /\.tsx?$/);
  expect(widget.length).toBeGreaterThan(15);
  for (const { path, imports } of widget) {
    const forbidden = imports.filter(
      (name) => !name.startsWith("packages/widget/") && name !== "@frontdesk/client/visitor",
    );
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

test("all SQL is in a *-store.ts or in the storage itself", () => {
  for (const { path, imports } of server) {
    if (/-store\.ts$/.test(path) || path.startsWith("packages/server/src/storage/")) continue;
    const forbidden = imports.filter((name) => name === "kysely" || name === "pg" || name === "node:sqlite");
    expect({ path, forbidden }).toEqual({ path, forbidden: [] });
  }
});

/** The packages that cannot reach the network; a new dependency counts as one that can until it is listed here. */
const OFFLINE = new Set([
  "@mozilla/readability",
  "@node-rs/argon2",
  "ajv",
  "ajv-formats",
  "eventsource-parser",
  "file-type",
  "html-to-text",
  "jose",
  "kysely",
  "linkedom",
  "marked",
  "postal-mime",
  "robots-parser",
  "turndown",
  "yazl",
  ...[
    "crypto",
    "fs",
    "fs/promises",
    "path",
    "stream",
    "stream/consumers",
    "stream/promises",
    "timers/promises",
    "worker_threads",
    "zlib",
  ].map((name) => `node:${name}`),
]);

/** Files of the product that reach outside: an operation never calls them inside its transaction. */
const EMAIL = "packages/server/src/email";
const REACHES_OUTSIDE = [
  // Revocation lists, for attestation formats that are not asked for.
  "packages/server/src/access/passkey.ts",
  "packages/server/src/files/s3-files.ts",
  ...["connect-imap", "fetch-mail", "file-mails", "follow-sent", "imap-session"].map(
    (name) => `${EMAIL}/imap/${name}.ts`,
  ),
  ...["check-email-account", "open-imap", "open-smtp"].map((name) => `${EMAIL}/${name}.ts`),
  `${EMAIL}/lmtp/lmtp-server.ts`,
  `${EMAIL}/oauth/token-requests.ts`,
  // Its parsers are given bytes alone, in a thread; references to other files are switched off.
  "packages/server/src/knowledge/documents/read-file.ts",
  // nodemailer's composer reads URLs, which is switched off.
  `${EMAIL}/out/compose-mail.ts`,
  `${EMAIL}/out/smtp-send.ts`,
  ...["open-mailbox", "received-copy"].map((name) => `${EMAIL}/round-trip/${name}.ts`),
  // Its requests go out by `outbound`; operations take its types.
  "packages/server/src/sso/oidc-client.ts",
];

test("nothing inside a transaction can reach the network", () => {
  const reaches = ({ imports, text }: SourceFile) =>
    imports.some((name) => !/^packages\/|^@frontdesk\/core\//.test(name) && !OFFLINE.has(name)) ||
    /\bfetch\(/.test(text);
  expect(
    filesOf("product", "worker")
      .filter(reaches)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual(REACHES_OUTSIDE.toSorted());
});

/** Files of the product with their own source of time or random numbers. */
const OWN_TIME_OR_CHANCE = [
  // The key of the data folder is created once, before there is a `ctx`.
  "packages/server/src/access/secret-key.ts",
  "packages/server/src/access/vault-key-file.ts",
  // A nonce must not repeat, not even where a test repeats the values of `ctx`.
  "packages/server/src/access/vault.ts",
  // Waits for the bucket, outside of transactions.
  "packages/server/src/files/s3-files.ts",
  // Waits some milliseconds after a commit, outside of transactions.
  "packages/server/src/privacy/erase-pace.ts",
  // The key of the record is created once; the commands that restore a backup have no `ctx`.
  "packages/server/src/privacy/erasure-log.ts",
  // The library has a clock of its own, and has to know how far ours is from it.
  "packages/server/src/sso/oidc-client.ts",
];

test("the product takes clock, ids and randomness from its context", () => {
  const own = filesOf("product").filter(({ text }) =>
    /Date\.now|new Date\(\)|performance\.now|Math\.random|randomBytes|randomUUID|setTimeout|setInterval/.test(text),
  );
  expect(own.map(({ path }) => path).sort()).toEqual(OWN_TIME_OR_CHANCE);
});
