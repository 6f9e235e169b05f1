import { agentTools } from "./agent-tools.ts";
import { conversationStatusTools } from "./conversation-status-tools.ts";
import { conversationTools } from "./conversation-tools.ts";
import { customDataTools } from "./custom-data-tools.ts";
import { knowledgeTools } from "./knowledge-tools.ts";
import { messageTools } from "./message-tools.ts";
import type { ServedTool } from "./served-tool.ts";
import { tagTools } from "./tag-tools.ts";
import { visitorTools } from "./visitor-tools.ts";

/** Every tool that is served, by its name; a test compares them with the catalogue, one to one. */
export const servedTools: ReadonlyMap<string, ServedTool> = new Map(
  [
    ...conversationTools,
    ...conversationStatusTools,
    ...messageTools,
    ...visitorTools,
    ...knowledgeTools,
    ...tagTools,
    ...customDataTools,
    ...agentTools,
  ].map((served) => [served.tool.name, served]),
);
