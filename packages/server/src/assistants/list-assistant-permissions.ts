import { type AssistantPermissionDescriptor, assistantPermissionDescriptors } from "@frontdesk/core/contract";
import type { Operation } from "../context.ts";

/** What a connection can be granted, in words to whoever grants it. */
export const listAssistantPermissions: Operation<Record<never, never>, readonly AssistantPermissionDescriptor[]> = {
  name: "list-assistant-permissions",
  mode: "read",
  run: async () => assistantPermissionDescriptors,
};
