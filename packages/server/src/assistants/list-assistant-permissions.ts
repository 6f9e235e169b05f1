import { type AssistantPermissionDescriptor, assistantPermissionDescriptors } from "@frontdesk/core/contract";
import type { Operation } from "../context.ts";

/** The permissions that a connection can be granted, described for people. */
export const listAssistantPermissions: Operation<Record<never, never>, readonly AssistantPermissionDescriptor[]> = {
  name: "list-assistant-permissions",
  mode: "read",
  run: async () => assistantPermissionDescriptors,
};
