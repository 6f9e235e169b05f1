/**
 * The configuration to paste into programs that run assistants, as in docs/guide/assistants.md; `assistant-set-ups.test.ts`
 * keeps the two equal.
 *
 * @param root the URL of this Frontdesk, without a trailing slash
 * @param token the connection's token, or a placeholder
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
