import type { Operation } from "../context.ts";

/** What is pasted into apps, for those who may connect them. */
export interface AppAddresses {
  mcp: string | null;
  readonly: string | null;
}

export const getAppAddresses: Operation<AppAddresses, AppAddresses> = {
  name: "get-app-addresses",
  mode: "read",
  run: async (_ctx, addresses) => addresses,
};
