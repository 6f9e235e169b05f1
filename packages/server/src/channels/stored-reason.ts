import type { ErrorReason } from "@frontdesk/core/contract/errors";
import { type ChannelReason, channelSentence, knownChannelReason } from "@frontdesk/core/domain/channel-reason";

/** What is wrong, in words, and by name where the service has said it (`core/domain/channel-reason.ts`). */
export interface SaidReason {
  reason: string | null;
  named?: ChannelReason | undefined;
}

export const NO_REASON: SaidReason = { reason: null };

/** A reason as it is said. */
export const said = (named: ChannelReason): SaidReason => ({ reason: channelSentence(named), named });

/** A reason as it is stored: its sentence, and name and values as JSON. */
export function storedReason(reason: ChannelReason | null): { sentence: string | null; named: string | null } {
  return reason
    ? { sentence: channelSentence(reason), named: JSON.stringify(reason) }
    : { sentence: null, named: null };
}

/** A stored reason. A process of before this changes the sentence alone: then the name beside it is of another reason. */
export function saidReason(sentence: string | null, json: string | null): SaidReason {
  const named = parsedReason(json);
  return named && channelSentence(named) === sentence ? { reason: sentence, named } : { reason: sentence };
}

/** Undefined for a row of before, and for a reason that is not known here. */
export function parsedReason(json: string | null): ChannelReason | undefined {
  return json === null ? undefined : knownChannelReason(JSON.parse(json));
}

/** As the private APIs send it. */
export const presentNamed = ({ name, values }: ChannelReason): ErrorReason => ({
  reason: name,
  ...(values && { values }),
});
