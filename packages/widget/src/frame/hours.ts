import type { FrameConfig } from "./frame-config.ts";

/** Whether it is within the opening hours, and when that changes next. Without hours it always is. */
export function hoursAt(
  { hours }: Pick<FrameConfig, "hours">,
  now: number,
): { open: boolean; next: number | undefined } {
  const { open, changes } = hours ?? { open: true, changes: [] };
  const passed = changes.filter((at) => at <= now).length;
  return { open: passed % 2 ? !open : open, next: changes[passed] };
}
