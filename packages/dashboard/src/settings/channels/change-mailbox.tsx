import type { Channel } from "@frontdesk/core/contract/rest/channels";
import { useEffect, useId, useState } from "react";
import { rest } from "../../service/rest.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { UnsavedMark, useUnsaved } from "../../ui/unsaved.tsx";
import { channelChanged, channelName } from "./channels-query.ts";
import { changedSettings, draftOf, type MailboxDraft, needsSignIn } from "./mailbox-draft.ts";
import { MailboxFields } from "./mailbox-fields.tsx";
import { signInToMailbox } from "./sign-in-to-mailbox.ts";
import { useMailServers } from "./use-mail-servers.ts";

/**
 * Changes how a mailbox is connected.
 *
 * @param onSaved called when something was changed, to be tried
 */
export function ChangeMailbox({ channel, onSaved, onClose }: { channel: Channel; onSaved(): void; onClose(): void }) {
  const { id, attributes } = channel;
  // What is stored when it is opened: a teammate's change meanwhile is not undone.
  const [was] = useState(() => draftOf(attributes.settings));
  const [draft, setDraft] = useState(was);
  const servers = useMailServers();
  const formId = useId();
  const unsaved = useUnsaved(draft);
  const form = useForm(async () => {
    const settings = changedSettings(draft, was);
    const signsIn = needsSignIn(draft) && settings.oauth !== undefined;
    if (Object.keys(settings).length === 0) return onClose();
    const { data } = await unsaved.saving(rest.updateChannel({ params: { id }, body: { settings } }));
    await channelChanged(data);
    // Tokens of another app are worth nothing.
    if (signsIn) return signInToMailbox(id);
    onClose();
    onSaved();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what the provider wants
  useEffect(() => void servers.find(was.address), []);
  return (
    <Dialog
      open
      onClose={() => unsaved.leave(onClose)}
      title={t("change", { name: channelName(channel) })}
      text={t("channels.changeText")}
      width="wide"
      footer={
        <>
          <UnsavedMark unsaved={unsaved} />
          <Button type="submit" form={formId} look="primary" size="large" disabled={form.busy}>
            {t(needsSignIn(draft) && changedSettings(draft, was).oauth ? "channels.oauth.save" : "saveChanges")}
          </Button>
        </>
      }
    >
      <form id={formId} {...unsaved.form} onSubmit={form.send} className="flex flex-col gap-4">
        <MailboxFields
          edit={{
            draft,
            set: (change: Partial<MailboxDraft>) => setDraft((now) => ({ ...now, ...change })),
            problemOf: (field) => form.problemOf(`settings.${field}`),
            stored: {
              inbound: attributes.settings.inbound?.password_set ?? false,
              outbound: attributes.settings.outbound?.password_set ?? false,
              clientSecret: attributes.settings.oauth?.client_secret_set ?? false,
              privateKey: attributes.settings.oauth?.private_key_set ?? false,
            },
          }}
          servers={servers}
          isNew={false}
          focus={attributes.state === "needs-sign-in" ? "password" : "address"}
          onAddress={(address) => void servers.find(address)}
        />
        <FormProblem text={form.problem} />
        {unsaved.question}
      </form>
    </Dialog>
  );
}
