import type { Channel } from "@frontdesk/core/domain/channel";
import { type TextKey, t } from "../texts/texts.ts";

/** Brand names, but for those that are translated. */
const names: Record<Channel, TextKey | { brand: string }> = {
  website: "channel.website",
  email: "channel.email",
  messenger: { brand: "Messenger" },
  whatsapp: { brand: "WhatsApp" },
  fb: { brand: "Facebook" },
  instagram: { brand: "Instagram" },
};

export function channelName(channel: Channel): string {
  const name = names[channel];
  return typeof name === "string" ? t(name) : name.brand;
}
