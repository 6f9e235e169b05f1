/** The permissions to grant, with their descriptions, each with the tools of the catalogue that it allows. */
import { assistantPermissionNames, assistantPermissions } from "../domain/assistant-permissions.ts";
import type { AssistantPermissionDescriptor } from "./resources.ts";
import type { Tool } from "./tool.ts";
import { tools } from "./tools.ts";

/** All of them, in the order of the specification. */
export const assistantPermissionDescriptors: readonly AssistantPermissionDescriptor[] = assistantPermissionNames.map(
  (value) => {
    const { label, explanation, onlyReads } = assistantPermissions[value];
    const opened = (Object.values(tools) as Tool[]).filter(({ permission }) => permission === value);
    return {
      value,
      label,
      explanation,
      only_reads: onlyReads,
      tools: opened.map(({ name, annotations, confirmed = false }) => ({
        name,
        only_reads: annotations.readOnlyHint,
        asks_first: confirmed,
      })),
    };
  },
);
