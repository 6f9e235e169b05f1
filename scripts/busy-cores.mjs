/** Keeps every core busy, which fails tests that pass only on an idle machine. */
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";

/** Exits when its standard input closes, also when this process is killed. */
const SPIN = `
  process.stdin.resume().on("end", () => process.exit());
  const spin = () => { for (let i = 0; i < 1e7; i += 1); setImmediate(spin); };
  spin();
`;

/** @returns {() => void} stops it */
export function keepCoresBusy() {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["-e", SPIN], { stdio: ["pipe", "ignore", "ignore"] }),
  );
  return () => {
    for (const child of children) child.kill();
  };
}
