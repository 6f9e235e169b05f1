import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { countTests } from "./count-tests.mjs";

const GREEN = { numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1, testResults: [] };

it("passed, failed and skipped tests are counted from the report", () => {
  expect(countTests(report(GREEN), 0)).toEqual({ passed: 3, failed: 0, skipped: 2 });
  expect(countTests(report({ ...GREEN, numFailedTests: 2 }), 1)).toEqual({ passed: 3, failed: 2, skipped: 2 });
});

it("a test file that does not load is a failure", () => {
  const testResults = [{ status: "failed", assertionResults: [] }];
  expect(countTests(report({ ...GREEN, testResults }), 1).failed).toBe(1);
});

it("a run that fails outside of any test, and one that ends without a report, is a failure", () => {
  expect(countTests(report(GREEN), 1).failed).toBe(1);
  expect(countTests("/nowhere/report.json", 139)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

function report(content: object): string {
  const folder = mkdtempSync(join(tmpdir(), "frontdesk-count-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "report.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}
