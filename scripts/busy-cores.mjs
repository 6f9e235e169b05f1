/** Keeps every core busy: a test that passes only on a quiet machine fails then. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Ends by itself when its standard input does, also when this process is killed. */
const SPIN = `
  process.stdin.resume().on("end", () => process.exit());
  const spin = () => { for (let i = 0; i < 1e7; i += 1); setImmediate(spin); };
  spin();
`;

/** @returns {() => void} ends it */
export function keepCoresBusy() {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", SPIN], { stdio: ["pipe", "ignore", "ignore"] }),
  );
  return () => {
    for (const child of children) child.kill();
  };
}
