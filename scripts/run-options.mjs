/**
 * The options of `npm test --` and `npm run test:deep --`; everything else is passed to Vitest.
 *
 * @typedef {object} RunOptions
 * @property {boolean} deep includes slow tests
 * @property {number} repeat how often the tests run, each time in new processes
 * @property {boolean} busy whether other programs keep every core busy meanwhile
 * @property {boolean} writeDurations whether the times of this run are written to `test-durations.json`
 * @property {string[]} vitest
 */

/**
 * @param {string[]} args
 * @returns {RunOptions}
 * @throws {Error} when `--repeat` is not followed by a positive integer
 */
export function readRunOptions(args) {
  /** @type {RunOptions} */
  const options = { deep: false, repeat: 1, busy: false, writeDurations: false, vitest: [] };
  for (let index = 0; index < args.length; index += 1) {
    const arg = /** @type {string} */ (args[index]);
    if (arg === "--deep") options.deep = true;
    else if (arg === "--busy") options.busy = true;
    else if (arg === "--write-durations") options.writeDurations = true;
    else if (arg === "--repeat") {
      index += 1;
      options.repeat = Number(args[index]);
      if (!Number.isInteger(options.repeat) || options.repeat < 1) {
        throw new Error("Say how often: --repeat 10");
      }
    } else options.vitest.push(arg);
  }
  return options;
}
