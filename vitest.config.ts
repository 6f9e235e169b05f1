/**
 * The projects of the test run. Those that need PostgreSQL start one for the run; a run without them starts none
 * (`npm test -- --project core`).
 */
import { configDefaults, defineConfig } from "vitest/config";

const SERVER_TESTS = ["packages/server/src/**/*.test.ts", "packages/server/test/**/*.test.ts"];
const POSTGRES = "packages/server/test/postgres-cluster.ts";

export default defineConfig({
  test: {
    // Processes, not threads: a test may kill and be killed, and on two cores threads are no quicker (2.2 s to 2.1 s for
    // 13 small server files).
    pool: "forks",
    // Three on two processors took as long, and what waits for a browser waited too long.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    silent: "passed-only",
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
          exclude: [...configDefaults.exclude, "**/postgres-*.test.ts"],
          isolate: false,
          env: { TEST_ENGINE: "sqlite" },
        },
      },
      {
        extends: true,
        test: {
          name: "server on PostgreSQL",
          include: SERVER_TESTS,
          // What knows no database runs once.
          exclude: [...configDefaults.exclude, "packages/server/src/outbound/**"],
          isolate: false,
          env: { TEST_ENGINE: "postgres" },
          globalSetup: POSTGRES,
        },
      },
      // Tests about the repository itself: its scripts, its layout, its documents.
      { extends: true, test: { name: "house", include: ["stories/house/**/*.test.ts", "scripts/**/*.test.ts"] } },
      // End to end; a story picks its engines itself.
      {
        extends: true,
        test: {
          name: "stories",
          include: ["stories/*.test.ts"],
          globalSetup: POSTGRES,
          // A browser, a server and a database on two cores take their time, and whoever waits for them waits for a condition.
          testTimeout: 60_000,
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
  },
});
