/**
 * How apps are connected by address, as in docs/guide/connect-an-app.md; `assistant-set-ups.test.ts` keeps the two equal. The names
 * are brands.
 *
 * @param address of this Frontdesk's MCP
 */
export function appSetUps(address: string) {
  return [
    { name: "claude", label: "Claude", text: "apps.how.claude", code: undefined },
    { name: "chatgpt", label: "ChatGPT", text: "apps.how.chatgpt", code: undefined },
    {
      name: "claudeCode",
      label: "Claude Code",
      text: "apps.how.claudeCode",
      code: `claude mcp add --transport http frontdesk "${address}"`,
    },
    {
      name: "codex",
      label: "Codex",
      text: "apps.how.terminal",
      code: [`codex mcp add frontdesk --url "${address}"`, "codex mcp login frontdesk"].join("\n"),
    },
    {
      name: "cursor",
      label: "Cursor",
      text: "apps.how.cursor",
      code: JSON.stringify({ mcpServers: { frontdesk: { url: address } } }, undefined, 2),
    },
    {
      name: "vscode",
      label: "VS Code",
      text: "apps.how.terminal",
      code: `code --add-mcp '${JSON.stringify({ name: "frontdesk", type: "http", url: address })}'`,
    },
    {
      name: "gemini",
      label: "Gemini CLI",
      text: "apps.how.gemini",
      code: `gemini mcp add --transport http frontdesk "${address}"`,
    },
  ] as const;
}
