import { readFileSync } from "node:fs";
import { type ChannelReasonName, channelReasonText } from "@frontdesk/core/domain/channel-reason";
import { placesIn } from "@frontdesk/core/domain/text-places";
import { widgetLanguages } from "@frontdesk/core/domain/widget-settings";
import { describe, expect, test } from "vitest";
import { deliveryReason, deliveryReasons } from "../../texts/delivery-reasons.ts";
import { addTexts } from "../../texts/texts.ts";
import { channelReason, channelReasons, suppressionReason } from "./channel-reasons.ts";

const textsIn = (place: string, language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`../../languages/${place}/${language}.json`, import.meta.url), "utf8"));
const entries = Object.entries(channelReasons) as [ChannelReasonName, string][];

describe.each(widgetLanguages)("in %s", (language) => {
  const delivery = textsIn("delivery", language);
  const channels = { ...textsIn("channels", language), ...delivery };

  test("every reason of the service has its text, which has a place for each of its values and for nothing else", () => {
    expect(entries.map(([name]) => name).toSorted()).toEqual(Object.keys(channelReasonText).toSorted());
    for (const [name, key] of entries) {
      expect(channels[key]?.trim(), `${name} → ${key}`).toBeTruthy();
      const values = new Set(placesIn(channelReasonText[name]));
      expect(new Set(placesIn(channels[key] ?? "")), `${name} in ${language}`).toEqual(values);
    }
  });

  test("what a message says needs the texts of deliveries alone", () => {
    for (const key of Object.values<string>(deliveryReasons)) expect(delivery[key], key).toBeTruthy();
  });

  test("no two findings say the same", () => {
    const findings = entries.filter(([name]) => /^(check|connection|dns)\./.test(name));
    const said = findings.filter(([name]) => !name.includes("somewhere")).map(([, key]) => channels[key]);
    expect(new Set(said).size).toBe(said.length);
  });
});

test("no text is left over", () => {
  const used = new Set(Object.values<string>(channelReasons));
  expect(Object.keys(textsIn("delivery", "en")).filter((key) => !used.has(key) && key !== "why.says")).toEqual([]);
  const found = Object.keys(textsIn("channels", "en")).filter((key) =>
    /^channels\.(found|connection|dns|imap)\./.test(key),
  );
  expect(found.filter((key) => !used.has(key))).toEqual([]);
});

test("a reason is said with its values, a server's words in quotes, and what is not known as the service says it", () => {
  addTexts({ ...textsIn("channels", "de"), ...textsIn("delivery", "de") });
  const timeout = { reason: "connection.timeout", values: { host: "imap.acme.example", port: "1143" } };
  expect(channelReason(timeout)).toBe(
    "imap.acme.example hat auf Port 1143 nicht rechtzeitig geantwortet. Prüfe Host, Port und Verschlüsselung.",
  );
  const says = { reason: "smtp.says", values: { words: "535 5.7.8 {host} $& failed" } };
  expect(channelReason(says)).toBe("Der Mailserver meldet: „535 5.7.8 {host} $& failed“");
  expect(suppressionReason(says)).toBe("„535 5.7.8 {host} $& failed“");
  expect(deliveryReason({ reason: "535", named_reason: says })).toBe("„535 5.7.8 {host} $& failed“");
  // Of rows of before, and of a newer service.
  expect(deliveryReason({ reason: "An old sentence." })).toBe("An old sentence.");
  expect(deliveryReason({ reason: "A new one.", named_reason: { reason: "smtp.unheard-of" } })).toBe("A new one.");
  for (const given of [null, undefined, { reason: "constructor" }]) expect(channelReason(given)).toBeUndefined();
});
