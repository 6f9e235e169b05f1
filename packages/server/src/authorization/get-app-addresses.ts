import { isIP } from "node:net";
import type { Operation } from "../context.ts";
import { isLocalName } from "../outbound/local-name.ts";
import { isPublicAddress } from "../outbound/public-address.ts";

/** Whether apps on other machines can find this installation by its name, as far as the name says. */
export const getAppAddresses: Operation<{ publicUrl: string }, boolean> = {
  name: "get-app-addresses",
  mode: "read",
  run: async (_ctx, { publicUrl }) => {
    const host = new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, "$1");
    return isIP(host) === 0 ? !isLocalName(host.replace(/\.$/, "")) : isPublicAddress(host);
  },
};
