import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openApiDocument } from "./openapi.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
let folder: string;
let file: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-openapi-"));
  file = join(folder, "openapi.json");
  const document = openApiDocument({ serverUrl: "https://chat.acme.example/api/v1", version: "0.1.0" });
  await writeFile(file, JSON.stringify(document));
});

afterAll(() => rm(folder, { recursive: true }));

test("redocly finds no error and no warning in the OpenAPI document", async () => {
  const found = await lint("redocly", ["lint", "--config", join(root, "redocly.yaml"), "--format", "json", file]);
  const report = JSON.parse(found.output);
  expect(report.problems).toEqual([]);
  expect(report.totals).toMatchObject({ errors: 0, warnings: 0 });
  expect(found.exitCode).toBe(0);
});

test("spectral finds nothing in the OpenAPI document, not even a hint", async () => {
  const found = await lint("spectral", [
    "lint",
    "--ruleset",
    join(root, ".spectral.yaml"),
    "--fail-severity",
    "hint",
    "--format",
    "json",
    "--quiet",
    file,
  ]);
  expect(JSON.parse(found.output)).toEqual([]);
  expect(found.exitCode).toBe(0);
});

/** Runs a linter of the workspace; the settings turn its telemetry off. */
function lint(tool: string, args: string[]): Promise<{ exitCode: number; output: string }> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };
  return new Promise((resolve, reject) => {
    execFile(join(root, "node_modules", ".bin", tool), args, { env, cwd: root }, (error, output) => {
      if (error !== null && typeof error.code !== "number") reject(error);
      else resolve({ exitCode: Number(error?.code ?? 0), output });
    });
  });
}
