/**
 * What is pasted into the programs that assistants run in, as docs/guide/assistants.md has it; `assistant-set-ups.test.ts`
 * holds the two together.
 *
 * @param root where this Frontdesk is, without a slash at the end
 * @param token the connection's, or what stands for it
 */
export function assistantSetUps(root: string, token: string) {
  return {
    claudeCode: `claude mcp add --transport http frontdesk "${root}/mcp" --header "Authorization: Bearer ${token}"`,
    codex: [
      `export FRONTDESK_TOKEN="${token}"`,
      `codex mcp add frontdesk --url "${root}/mcp" --bearer-token-env-var FRONTDESK_TOKEN`,
    ].join("\n"),
    cursor: JSON.stringify(
      { mcpServers: { frontdesk: { url: `${root}/mcp`, headers: { Authorization: `Bearer ${token}` } } } },
      undefined,
      2,
    ),
    program: [`export FRONTDESK_TOKEN="${token}"`, `npx frontdesk mcp --url "${root}/mcp"`].join("\n"),
    http: `curl -s -H "Authorization: Bearer ${token}" "${root}/tools"`,
  };
}
