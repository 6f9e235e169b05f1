import { OperatorError } from "./operator-error.ts";

/** Where a server was to listen, and the settings that say so. */
interface Place {
  host: string;
  port: number;
  hostSetting: string;
  portSetting: string;
}

/** Why a server cannot listen, and what to do; undefined for another error. */
export function listenProblem(error: unknown, { host, port, hostSetting, portSetting }: Place): Error | undefined {
  const problems: Record<string, string> = {
    EADDRINUSE: `is already in use by another program or another Frontdesk. Stop it, or set a different ${portSetting}.`,
    EADDRNOTAVAIL: `is not an address of this machine. Set ${hostSetting} to one of this machine's addresses, or to 0.0.0.0 for all of them.`,
    ENOTFOUND: `has an unknown host name. Set ${hostSetting} to an address of this machine.`,
    EACCES: `requires privileges that this user does not have. Set ${portSetting} to 1024 or above.`,
  };
  const problem = problems[(error as NodeJS.ErrnoException).code ?? ""];
  return problem === undefined ? undefined : new OperatorError(`${host}:${port} ${problem}`, { cause: error });
}
