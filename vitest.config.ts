/**
 * The projects of the test run. Those that need PostgreSQL start one for the run; a run without them starts none
 * (`npm test -- --project core`). `npm run test:deep` adds what takes long: `*.deep.test.ts`, larger volumes within
 * files (`packages/testing/src/depth.ts`), and PostgreSQL for every server test.
 */
import { configDefaults, defineConfig } from "vitest/config";
import { deep } from "./packages/testing/src/depth.ts";
import { LongestFirst } from "./scripts/longest-first.ts";

const SERVER_TESTS = ["packages/server/src/**/*.test.ts", "packages/server/test/**/*.test.ts"];
/**
 * In `npm test`, what runs on PostgreSQL are the tests about what statements do together. The surfaces above them (HTTP, tools, live
 * stream, mail, command line) and the plainer stores reach the database in the same way and run on SQLite; every single statement
 * runs on both engines in `storage/every-statement.test.ts`.
 */
const ABOUT_THE_DATABASE =
  "{ai/{handoff,settings,turn,runs,speaker},backup,contacts,conversations,custom-data,events,idempotency,inbox,jobs,knowledge/vectors,outbox,sso,storage,tags,timers}";
/** Of erasing: the words at every door, requests at the same time, mails, what stays on the disk, and plans. */
const ABOUT_ERASED_ROWS = "{erase-canaries,erased-from-disk,export-at-once,mails-erased,retention-cost,where-erased}";
export const POSTGRES_TESTS = {
  quick: [
    `packages/server/src/${ABOUT_THE_DATABASE}/**/*.test.ts`,
    `packages/server/src/privacy/${ABOUT_ERASED_ROWS}.test.ts`,
    "packages/server/src/**/postgres-*.test.ts",
    // Codes and refresh tokens at once, over two processes.
    "packages/server/src/http/oauth/tokens.test.ts",
    // Grants that end in another process.
    "packages/server/src/mcp/app-streams.test.ts",
    // The fuzzer goes through whole operations, whose statements are the same; the others are about requests, not about rows.
    "packages/server/test/attack/!(contract-fuzz|other-teams-ids|slow-connections|supply-chain|unasked).test.ts",
    "packages/server/test/pigeon/**/*.test.ts",
  ],
  deep: SERVER_TESTS,
};
/** Of those folders, what is about the content of files, which is in no database, and about the record of erasures, which is a file. */
const ABOUT_FILES = ["erased-again", "erased-mails", "files-in-backup"].map(
  (name) => `packages/server/src/backup/${name}.test.ts`,
);
const EXCLUDED = deep ? configDefaults.exclude : [...configDefaults.exclude, "**/*.deep.test.ts"];
const POSTGRES = "packages/testing/src/postgres-cluster.ts";

/** A limit only ends what hangs: on a busy machine anything may take ten times as long as usual. */
const HANGS_MS = 180_000;
const WAITS_IN_VAIN_MS = 60_000;

export default defineConfig({
  test: {
    // Processes, not threads: a test may kill and be killed, and on two cores threads are no quicker (2.2 s to 2.1 s for
    // 13 small server files).
    pool: "forks",
    exclude: EXCLUDED,
    testTimeout: HANGS_MS,
    hookTimeout: HANGS_MS,
    expect: { poll: { timeout: WAITS_IN_VAIN_MS } },
    silent: "passed-only",
    sequence: { sequencer: LongestFirst },
    // More than the cores: most tests of the server wait for something half of the time.
    maxWorkers: 4,
    // `isolate: false`: the product keeps no state in its modules, so that files share a process and its loaded modules
    // (0.7 s instead of 2.2 s for those 13). What goes about processes and the environment keeps to itself.
    projects: [
      { extends: true, test: { name: "core", include: ["packages/core/src/**/*.test.ts"], isolate: false } },
      { extends: true, test: { name: "client", include: ["packages/client/src/**/*.test.ts"], isolate: false } },
      // What the built files weigh is among it: `npm test` builds them.
      { extends: true, test: { name: "widget", include: ["packages/widget/src/**/*.test.ts"] } },
      { extends: true, test: { name: "dashboard", include: ["packages/dashboard/src/**/*.test.ts"] } },
      {
        extends: true,
        test: {
          name: "server on SQLite",
          include: SERVER_TESTS,
          // What is about PostgreSQL itself says so in its name.
          exclude: [...EXCLUDED, "**/postgres-*.test.ts"],
          isolate: false,
          env: { TEST_ENGINE: "sqlite" },
        },
      },
      {
        extends: true,
        test: {
          name: "server on PostgreSQL",
          include: deep ? POSTGRES_TESTS.deep : POSTGRES_TESTS.quick,
          // What knows no database runs once.
          exclude: [...EXCLUDED, "packages/server/src/outbound/**", ...(deep ? [] : ABOUT_FILES)],
          isolate: false,
          env: { TEST_ENGINE: "postgres" },
          globalSetup: POSTGRES,
        },
      },
      // Tests about the repository itself: its scripts, its layout, its documents. Files share what they load of the server.
      {
        extends: true,
        test: { name: "house", include: ["stories/house/**/*.test.ts", "scripts/**/*.test.ts"], isolate: false },
      },
      // End to end; a story picks its engines itself.
      {
        extends: true,
        test: {
          name: "stories",
          // Files of a worker share its Chromium and its loaded server.
          isolate: false,
          include: ["stories/*.test.ts"],
          globalSetup: POSTGRES,
          // A browser, a server and a database each: with more of them at once the cores are busy, and each takes longer.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
