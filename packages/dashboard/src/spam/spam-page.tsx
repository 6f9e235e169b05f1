import { t } from "../texts/texts.ts";
import { Page } from "../ui/page.tsx";
import { Tabs } from "../ui/tabs.tsx";
import { AutomaticList, HeldList } from "./held-list.tsx";
import { SpamList } from "./spam-list.tsx";

/** The emails that are kept out of the agents' way: spam, those of senders who have sent too many, and those of programs. */
export function SpamPage() {
  const tabs = [
    { name: "spam", label: t("nav.spam"), content: <SpamList /> },
    { name: "held", label: t("held.title"), content: <HeldList /> },
    { name: "automatic", label: t("automatic.title"), content: <AutomaticList /> },
  ];
  return (
    <Page title={t("nav.spam")}>
      <Tabs label={t("nav.spam")} tabs={tabs} />
    </Page>
  );
}
