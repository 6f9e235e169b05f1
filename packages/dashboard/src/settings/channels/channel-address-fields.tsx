import { t } from "../../texts/texts.ts";
import { Lines } from "../../ui/lines.tsx";

export interface AddressLists {
  aliases: readonly string[];
  form_senders: readonly string[];
}

/** Which addresses of the mails that come in are the team's own, and which belong to web forms. */
export function ChannelAddressFields({
  lists: { aliases, form_senders },
  set,
  problemOf,
}: {
  lists: AddressLists;
  set(change: Partial<AddressLists>): void;
  problemOf(field: string): string | undefined;
}) {
  return (
    <>
      <Lines
        label={t("channels.aliases")}
        hint={t("channels.aliasesHint")}
        value={aliases}
        problem={problemOf("aliases")}
        onChange={(next) => set({ aliases: next })}
      />
      <Lines
        label={t("channels.formSenders")}
        hint={t("channels.formSendersHint")}
        value={form_senders}
        problem={problemOf("form_senders")}
        onChange={(next) => set({ form_senders: next })}
      />
    </>
  );
}
