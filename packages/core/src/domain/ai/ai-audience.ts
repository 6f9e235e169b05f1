import { type Channel, traitsOf } from "../channel.ts";
import type { AiSettings } from "./ai-settings.ts";

/** Where and when an episode begins. */
export interface AiOccasion {
  widgetId: string;
  channel: Channel;
  /** By the business hours of the widget; null without any, which counts as open. */
  isOpen: boolean | null;
  isTeamOnline: boolean;
}

/** Whether the AI takes an episode that begins now. */
export function answersHere(
  settings: Pick<AiSettings, "is_active" | "widgets" | "channels" | "when">,
  { widgetId, channel, isOpen, isTeamOnline }: AiOccasion,
): boolean {
  if (!settings.is_active || !settings.channels.includes(channel)) return false;
  // Its words would reach no one: what it says is not sent by mail.
  if (!traitsOf(channel).inBrowser) return false;
  if (channel === "website" && settings.widgets !== "all" && !settings.widgets.includes(widgetId)) return false;
  const { when } = settings;
  switch (when) {
    case "always":
      return true;
    case "outside-hours":
      return isOpen === false;
    case "nobody-online":
      return !isTeamOnline;
    default:
      return when satisfies never;
  }
}
