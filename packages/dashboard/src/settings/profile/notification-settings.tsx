import { useState } from "react";
import { changePreferences, usePreferences } from "../../service/preferences.ts";
import { chime } from "../../shell/chime.ts";
import { t } from "../../texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { Section } from "../../ui/page.tsx";
import { Switch } from "../../ui/switch.tsx";

/** The notifications that the agent wants. */
export function NotificationSettings() {
  const { notify = "all", notify_mentions = true, sound = true, quiet_from, quiet_to } = usePreferences();
  const [allowed, setAllowed] = useState("Notification" in window ? Notification.permission : "denied");
  return (
    <Section
      title={t("notify.title")}
      text={
        <>
          {t("notify.text")}
          <br />
          {t("savedAtOnce")}
        </>
      }
    >
      <div className="flex max-w-sm flex-col gap-4">
        {allowed === "default" && (
          <Button className="self-start" onClick={async () => setAllowed(await Notification.requestPermission())}>
            {t("notify.allow")}
          </Button>
        )}
        {allowed === "denied" && <p className="text-warning">{t("notify.denied")}</p>}
        <Field label={t("notify.which")}>
          <Select
            value={notify}
            onChange={({ target }) => changePreferences({ notify: target.value as "all" | "mine" | "none" })}
          >
            <option value="all">{t("notify.all")}</option>
            <option value="mine">{t("notify.mine")}</option>
            <option value="none">{t("notify.none")}</option>
          </Select>
        </Field>
        <Switch
          label={t("notify.mentions")}
          checked={notify_mentions}
          onChange={(on) => changePreferences({ notify_mentions: on })}
        />
        <Switch
          label={t("notify.sound")}
          checked={sound}
          onChange={(on) => {
            changePreferences({ sound: on });
            if (on) chime();
          }}
        />
        <fieldset className="flex items-end gap-3">
          <legend className="mb-1.5 font-medium">{t("notify.quiet")}</legend>
          <Field label={t("notify.from")}>
            <TextInput
              type="time"
              value={quiet_from ?? ""}
              onValueChange={(at) => changePreferences({ quiet_from: String(at) || null })}
            />
          </Field>
          <Field label={t("notify.to")}>
            <TextInput
              type="time"
              value={quiet_to ?? ""}
              onValueChange={(at) => changePreferences({ quiet_to: String(at) || null })}
            />
          </Field>
        </fieldset>
      </div>
    </Section>
  );
}
