/** The permissions of assistants in display order and groups. */
import type { AssistantPermissionDescriptor } from "@frontdesk/core/contract/resources";
import type { AssistantPermission } from "@frontdesk/core/domain/assistant-permissions";

export const permissionGroups = ["reading", "writing", "sorting", "data"] as const;
export type PermissionGroup = (typeof permissionGroups)[number];

/** The compiler keeps it complete. */
const groupOf: Record<AssistantPermission, PermissionGroup> = {
  read_conversations: "reading",
  read_conversation_messages: "reading",
  read_visitor_details: "reading",
  search_contacts: "reading",
  search_knowledge_base: "reading",
  view_tags: "reading",
  view_custom_fields: "reading",
  send_replies: "writing",
  add_notes: "writing",
  request_human_handoff: "writing",
  assign_conversations: "sorting",
  resolve_conversations: "sorting",
  unresolve_conversations: "sorting",
  add_tags: "sorting",
  remove_tags: "sorting",
  add_custom_data: "data",
  update_custom_data: "data",
  remove_custom_data: "data",
};

/** A permission that this page has texts for, with its tools according to the service. */
export type KnownPermission = AssistantPermissionDescriptor & { value: AssistantPermission };

/** The permissions of the service by group; a newer server may have others, which are left out. */
export function inGroups(
  permissions: readonly AssistantPermissionDescriptor[],
): { group: PermissionGroup; permissions: KnownPermission[] }[] {
  const known = permissions.filter((each): each is KnownPermission => Object.hasOwn(groupOf, each.value));
  return permissionGroups.map((group) => ({
    group,
    permissions: known.filter(({ value }) => groupOf[value] === group),
  }));
}
