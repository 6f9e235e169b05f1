/** Counts tests from Vitest's JSON report, including failures outside of tests. */
import { existsSync, readFileSync } from "node:fs";

/** @typedef {{ passed: number, failed: number, skipped: number }} Count */

/**
 * The fields of the report that are used here.
 *
 * @typedef {object} Report
 * @property {number} numPassedTests
 * @property {number} numFailedTests
 * @property {number} numPendingTests
 * @property {number} numTodoTests
 * @property {{ status: string, assertionResults: { status: string }[] }[]} testResults one for each file
 */

/**
 * A test file that does not load counts as one failure; so does a run that fails for another reason (no test found, an error
 * outside of any test) or ends without a report.
 *
 * @param {string} reportFile
 * @param {number} exitCode of Vitest
 * @returns {Count}
 */
export function countTests(reportFile, exitCode) {
  if (!existsSync(reportFile)) {
    console.error(`Vitest ended without a report (exit code ${exitCode}); its last words are above.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  /** @type {Report} */
  const report = JSON.parse(readFileSync(reportFile, "utf8"));
  const filesThatDidNotLoad = report.testResults.filter(
    (file) => file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const failed = report.numFailedTests + filesThatDidNotLoad;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
