import { expect, test } from "vitest";
import {
  channels,
  channelsToGrant,
  channelsToOffer,
  channelTraits,
  messageOrigins,
  traitsOf,
  WIDGET_CHANNEL,
} from "./channel.ts";

test("the origin of a message is chat on the website, else the name of its channel", () => {
  for (const channel of channels) expect(traitsOf(channel).origin).toBe(channel === "website" ? "chat" : channel);
  expect(channels.map((channel) => traitsOf(channel).origin)).toEqual(messageOrigins);
});

test("the website alone has widgets and is shown in browsers; all other channels are granted by their names", () => {
  expect(channels.filter((channel) => channelTraits[channel].byWidget)).toEqual([WIDGET_CHANNEL]);
  expect(channels.filter((channel) => channelTraits[channel].inBrowser)).toEqual([WIDGET_CHANNEL]);
  expect([WIDGET_CHANNEL, ...channelsToGrant]).toEqual(channels);
});

test("only available channels are offered, and those that were granted when they were", () => {
  expect(channels.filter((channel) => channelTraits[channel].isAvailable)).toEqual([WIDGET_CHANNEL, "email"]);
  expect(channelsToOffer([])).toEqual(["email"]);
  expect(channelsToOffer("all")).toEqual(["email"]);
  expect(channelsToOffer(["whatsapp", "email"])).toEqual(["email", "whatsapp"]);
});

test("a name that is no channel has no traits", () => {
  for (const name of ["pigeon", "__proto__", "toString", ""]) expect(() => traitsOf(name)).toThrow("no channel");
});
