import type { FrameConfig } from "./frame-config.ts";

/** Whether the team's hours have it there, and when that changes next. Without hours it may be there at any time. */
export function hoursAt(
  { hours }: Pick<FrameConfig, "hours">,
  now: number,
): { open: boolean; next: number | undefined } {
  const { open, changes } = hours ?? { open: true, changes: [] };
  const passed = changes.filter((at) => at <= now).length;
  return { open: passed % 2 ? !open : open, next: changes[passed] };
}
