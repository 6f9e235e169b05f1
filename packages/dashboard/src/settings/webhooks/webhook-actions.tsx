import { useNavigate } from "@tanstack/react-router";
import { KeyRound, MoreHorizontal, Pause, Pencil, Play, Send, Trash2 } from "lucide-react";
import { useState } from "react";
import { rest } from "../../service/rest.ts";
import { momentOf } from "../../texts/dates.ts";
import { t } from "../../texts/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { SecretDialog } from "../../ui/secret-dialog.tsx";
import { showToast } from "../../ui/toast.ts";
import { ReceiverCode } from "./receiver-code.tsx";
import { resumeWebhook } from "./resume-webhook.ts";
import { TestWebhook } from "./test-webhook.tsx";
import { WebhookForm } from "./webhook-form.tsx";
import { type OneWebhook, webhooksChanged } from "./webhooks-query.ts";

/** The actions of a webhook. Destructive ones ask first. */
export function WebhookActions({ webhook }: { webhook: OneWebhook }) {
  const { id, name, is_active } = webhook;
  const params = { webhook: id };
  const [open, setOpen] = useState<"test" | "change" | "pause" | "rotate" | "delete">();
  const [secret, setSecret] = useState<{ value: string; takesOverAt: string }>();
  const navigate = useNavigate();
  const close = () => setOpen(undefined);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button disabled={!is_active} onClick={() => setOpen("test")}>
        <Send size={14} aria-hidden="true" />
        {t("hooks.test")}
      </Button>
      <Button onClick={() => setOpen("change")}>
        <Pencil size={14} aria-hidden="true" />
        {t("hooks.change")}
      </Button>
      <Menu
        trigger={
          <IconButton label={t("more")}>
            <MoreHorizontal size={16} />
          </IconButton>
        }
      >
        {is_active ? (
          <MenuItem icon={<Pause size={14} />} onSelect={() => setOpen("pause")}>
            {t("hooks.pause")}
          </MenuItem>
        ) : (
          <MenuItem icon={<Play size={14} />} onSelect={() => resumeWebhook(id)}>
            {t("hooks.resume")}
          </MenuItem>
        )}
        <MenuItem icon={<KeyRound size={14} />} onSelect={() => setOpen("rotate")}>
          {t("hooks.rotate")}
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={() => setOpen("delete")}>
          {t("hooks.delete")}
        </MenuItem>
      </Menu>
      {open === "test" && <TestWebhook webhook={webhook} onClose={close} />}
      {open === "change" && <WebhookForm webhook={webhook} onClose={close} />}
      {open === "pause" && (
        <ConfirmDialog
          title={t("hooks.pauseTitle", { name })}
          text={t("hooks.pauseText")}
          action={t("hooks.pause")}
          look="primary"
          onClose={close}
          onConfirm={async () => {
            await rest.updateWebhook({ params, body: { is_active: false } });
            await webhooksChanged();
          }}
        />
      )}
      {open === "rotate" && (
        <ConfirmDialog
          title={t("hooks.rotateTitle")}
          text={t("hooks.rotateText")}
          action={t("hooks.rotate")}
          look="primary"
          onClose={close}
          onConfirm={async () => {
            const { data } = await rest.rotateWebhookSecret({ params });
            const [made] = data.attributes;
            if (made) setSecret({ value: made.signing_secret, takesOverAt: made.takes_over_at });
            await webhooksChanged();
          }}
        />
      )}
      {open === "delete" && (
        <ConfirmDialog
          title={t("hooks.deleteTitle", { name })}
          text={t("hooks.deleteText")}
          action={t("hooks.delete")}
          onClose={close}
          onConfirm={async () => {
            await rest.deleteWebhook({ params });
            await navigate({ to: "/settings/$part", params: { part: "webhooks" }, replace: true });
            await webhooksChanged();
            showToast(t("hooks.deleted", { name }));
          }}
        />
      )}
      <SecretDialog
        open={secret !== undefined}
        title={t("hooks.secretTitle")}
        text={secret && t("hooks.rotatedText", { when: momentOf(secret.takesOverAt) })}
        label={t("hooks.newSecret")}
        value={secret?.value ?? ""}
        onClose={() => setSecret(undefined)}
      >
        <ReceiverCode />
      </SecretDialog>
    </div>
  );
}
