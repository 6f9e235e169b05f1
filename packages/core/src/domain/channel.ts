/** The channels that conversations come by, and what differs between them: the one table that the surfaces read. */

/** Every `origin` a message can have. */
export const messageOrigins = ["chat", "email", "messenger", "whatsapp", "fb", "instagram"] as const;
export type MessageOrigin = (typeof messageOrigins)[number];

export interface ChannelTraits {
  /** `origin` of its messages (decision 5). */
  origin: MessageOrigin;
  /**
   * Its accounts are widgets: assistants are granted its conversations by their widgets, events and tools name the widget,
   * and a new conversation comes from a page. Any other channel is granted by its name.
   */
  byWidget: boolean;
  /** A visitor's browser shows its conversations: in the chat, in the live stream, and in mails about unseen replies. */
  inBrowser: boolean;
  /** Conversations can come by it: only such channels are offered. */
  isAvailable: boolean;
}

const elsewhere = { byWidget: false, inBrowser: false, isAvailable: false } as const;

export const channelTraits = {
  website: { origin: "chat", byWidget: true, inBrowser: true, isAvailable: true },
  email: { origin: "email", ...elsewhere, isAvailable: true },
  messenger: { origin: "messenger", ...elsewhere },
  whatsapp: { origin: "whatsapp", ...elsewhere },
  fb: { origin: "fb", ...elsewhere },
  instagram: { origin: "instagram", ...elsewhere },
} as const satisfies Record<string, ChannelTraits>;

export type Channel = keyof typeof channelTraits;

export const channels = Object.keys(channelTraits) as [Channel, ...Channel[]];

/** The channel whose accounts are widgets. */
export const WIDGET_CHANNEL = "website" satisfies Channel;

export type ChannelToGrant = Exclude<Channel, typeof WIDGET_CHANNEL>;
/** The channels that an assistant is granted by name; the others are granted by their widgets. */
export const channelsToGrant = channels.filter(
  (channel): channel is ChannelToGrant => !channelTraits[channel].byWidget,
);

/** The channels to choose from where access is granted: the available ones, and those that were granted earlier. */
export function channelsToOffer(granted: "all" | readonly ChannelToGrant[]): ChannelToGrant[] {
  return channelsToGrant.filter((channel) => traitsOf(channel).isAvailable || granted.includes(channel));
}

/** The traits of a channel, by its name in a row. */
export function traitsOf(channel: string): ChannelTraits {
  if (!Object.hasOwn(channelTraits, channel)) throw new Error(`There is no channel ${channel}.`);
  return channelTraits[channel as Channel];
}
