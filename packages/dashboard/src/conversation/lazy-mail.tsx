/** What only conversations by email have, loaded with the first of them. */
import { lazy } from "react";
import { loadRefusalTexts } from "../texts/refusal-text.ts";
import { loadTextsOf } from "../texts/texts-of-screens.ts";

const withTexts = <Part,>(part: Promise<Part>): Promise<Part> =>
  Promise.all([part, loadTextsOf("mail")]).then(([loaded]) => loaded);

const loadPeople = () => withTexts(import("./mail-people.tsx"));
const loadDelivery = () => withTexts(import("./delivery.tsx"));

/** Before it is needed: a conversation that is opened must not depend on the network. */
export const loadMail = () => Promise.all([loadPeople(), loadDelivery()]);

export const MailHead = lazy(() => loadPeople().then(({ MailHead }) => ({ default: MailHead })));
export const MailLine = lazy(() => loadPeople().then(({ MailLine }) => ({ default: MailLine })));
export const ReplyLine = lazy(() => loadPeople().then(({ ReplyLine }) => ({ default: ReplyLine })));
export const NoReplyLine = lazy(() =>
  Promise.all([loadPeople(), loadRefusalTexts()]).then(([{ NoReplyLine }]) => ({ default: NoReplyLine })),
);
export const Delivery = lazy(() => loadDelivery().then(({ Delivery }) => ({ default: Delivery })));
export const DeliveryAnnouncer = lazy(() =>
  loadDelivery().then(({ DeliveryAnnouncer }) => ({ default: DeliveryAnnouncer })),
);
