/** What only conversations by email have, loaded with the first of them. */
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { lazyPart } from "../ui/lazy-part.ts";

export const MailHead = lazyPart(() => import("./mail-people.tsx"), "MailHead", "mail");
export const MailLine = lazyPart(() => import("./mail-people.tsx"), "MailLine", "mail");
export const QuotedText = lazyPart(() => import("./quoted-text.tsx"), "QuotedText", "mail");
export const ReplyLine = lazyPart(() => import("./mail-people.tsx"), "ReplyLine", "mail");
export const ReturnedLine = lazyPart(() => import("./mail-people.tsx"), "ReturnedLine", "mail");
export const NoReplyLine = lazyPart(
  () => Promise.all([import("./mail-people.tsx"), loadRefusalTexts()]).then(([people]) => people),
  "NoReplyLine",
  "mail",
);
export const Delivery = lazyPart(() => import("./delivery.tsx"), "Delivery", "mail", "delivery");
export const DeliveryAnnouncer = lazyPart(() => import("./delivery.tsx"), "DeliveryAnnouncer", "mail", "delivery");

/** Before it is needed: a conversation that is opened must not depend on the network. */
export const preloadMail = () => Promise.all([MailHead.preload(), Delivery.preload()]);
