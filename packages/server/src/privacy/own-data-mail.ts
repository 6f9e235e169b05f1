import type { WidgetLanguage } from "@frontdesk/core/domain/widget-settings";
import type { Mail } from "../mail/mail.ts";
import { ownDataTexts } from "./own-data-texts.ts";

/** The e-mail with the link by which a visitor gets their data. */
export function ownDataMail({
  to,
  teamName,
  language,
  link,
}: {
  to: string;
  teamName: string;
  language: WidgetLanguage;
  link: string;
}): Mail {
  const { mailSubject, mailText, mailEnd } = ownDataTexts[language];
  return {
    to,
    senderName: teamName,
    subject: mailSubject(teamName),
    text: `${mailText(teamName)}\n\n${link}\n\n${mailEnd}\n`,
  };
}
