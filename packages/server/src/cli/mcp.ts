import { createInterface } from "node:readline";
import { bridgeStdio } from "../mcp/stdio-bridge.ts";
import { OperatorError } from "../operator-error.ts";
import { defineCommand, UsageError } from "./command.ts";

/** `frontdesk mcp`: lets a host that starts local programs use a remote Frontdesk. It opens no data. */
export const mcp = defineCommand({
  name: "mcp",
  summary: "Connects an assistant to an MCP host over standard input and output.",
  options: {
    url: { value: "ADDRESS", help: "The MCP address of your Frontdesk. Default: PUBLIC_URL followed by /mcp." },
    "read-only": { help: "Offers only the tools that change nothing." },
  },
  async run(values, surroundings) {
    // Not as an option: other users of the machine can see those.
    const token = surroundings.env.FRONTDESK_TOKEN?.trim();
    if (!token) {
      throw new OperatorError(
        "FRONTDESK_TOKEN is not set. Set it to the token of an assistant connection. Create one with: frontdesk assistant create",
      );
    }
    if (/\s/.test(token))
      throw new OperatorError("FRONTDESK_TOKEN is not a valid token (not shown): it contains spaces.");
    const url = values.url === undefined ? `${surroundings.settings.publicUrl}/mcp` : endpoint(values.url);
    await bridgeStdio({
      url: values["read-only"] ? `${url.replace(/\/readonly$/, "")}/readonly` : url,
      token,
      lines: createInterface({ input: process.stdin }),
      say: (message) => surroundings.print({ json: message, text: JSON.stringify(message) }),
    });
  },
});

/**
 * An address without a path is that of the installation.
 *
 * @throws UsageError when `text` is not a plain web address
 */
function endpoint(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw new UsageError("--url must be a plain http:// or https:// address, such as https://chat.example.com/mcp.");
  }
  const address = url.href.replace(/\/+$/, "");
  return url.pathname === "/" ? `${address}/mcp` : address;
}
