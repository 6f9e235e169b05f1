import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { type Density, densities, setDensity, useDensity } from "../../inbox/density.ts";
import { askSession } from "../../service/ask-session.ts";
import { meQuery, useMe } from "../../service/me.ts";
import { changePreferences, usePreferences } from "../../service/preferences.ts";
import { queries } from "../../service/queries.ts";
import { ago, secondsOf } from "../../texts/dates.ts";
import { language, languages, nameOfLanguage, setLanguage, t } from "../../texts/texts.ts";
import { currentTheme, setTheme, type Theme, themes } from "../../theme.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Field, Select, TextInput } from "../../ui/field.tsx";
import { FormProblem, useForm } from "../../ui/form.tsx";
import { lazyPart } from "../../ui/lazy-part.ts";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SaveChanges } from "../../ui/save-changes.tsx";
import { Switch } from "../../ui/switch.tsx";
import { showProblem, showToast } from "../../ui/toast.ts";
import { useUnsaved } from "../../ui/unsaved.tsx";
import { AvailabilitySettings } from "./availability-settings.tsx";
import { browserName } from "./browser-name.ts";
import { NotificationSettings } from "./notification-settings.tsx";
import { PhotoField } from "./photo-field.tsx";

const SecuritySettings = lazyPart(() => import("./security-settings.tsx"), "SecuritySettings", "security");
const OwnSso = lazyPart(() => import("./own-sso.tsx"), "OwnSso", "sso");

/** The times to undo a reply; longer ones keep visitors waiting. */
const UNDO_SECONDS = [5, 10, 20, 30];

/** The agent's own settings: name and photo, appearance, notifications, sessions. */
export function ProfilePart() {
  return (
    <>
      <Person />
      <Look />
      <AvailabilitySettings />
      <NotificationSettings />
      <Password />
      <Suspense>
        <SecuritySettings />
        <OwnSso />
      </Suspense>
      <Sessions />
    </>
  );
}

function Person() {
  const { agent } = useMe();
  const unsaved = useUnsaved();
  const form = useForm(async ({ name = "" }) => {
    const me = await unsaved.saving(askSession("updateMe", { body: { name } }));
    queries.setQueryData(meQuery.queryKey, me);
    showToast(t("saved"));
  });
  return (
    <Section title={t("settings.profile")} text={t("profile.text")}>
      <div className="flex flex-wrap gap-6">
        <Avatar id={agent.id} name={agent.name} photo={agent.profile_photo_url} size="huge" />
        <form {...unsaved.form} onSubmit={form.send} className="flex max-w-sm flex-1 flex-col gap-4">
          <PhotoField />
          <Field label={t("yourName")} hint={t("yourNameHint")} problem={form.problemOf("name")}>
            <TextInput name="name" autoComplete="name" required defaultValue={agent.name ?? ""} />
          </Field>
          <Field label={t("email")} hint={t("profile.emailHint")}>
            <TextInput value={agent.email} disabled />
          </Field>
          <SaveChanges form={form} unsaved={unsaved} />
        </form>
      </div>
    </Section>
  );
}

function Look() {
  const [theme, show] = useState<Theme>(currentTheme());
  const density = useDensity();
  const { shortcuts = true, send_with = "enter", undo_send_seconds = 0, assign_on_reply = true } = usePreferences();
  return (
    <Section title={t("profile.look")} text={t("savedAtOnce")}>
      <div className="flex max-w-sm flex-col gap-4">
        <Field label={t("theme")}>
          <Select
            value={theme}
            onChange={({ target }) => {
              const next = target.value as Theme;
              show(next);
              setTheme(next);
            }}
          >
            {themes.map((each) => (
              <option key={each} value={each}>
                {t(`theme.${each}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t("language")}>
          <Select value={language} onChange={({ target }) => setLanguage(target.value as typeof language)}>
            {languages.map((each) => (
              <option key={each} value={each}>
                {nameOfLanguage(each)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t("density")} hint={t("density.hint")}>
          <Select value={density} onChange={({ target }) => setDensity(target.value as Density)}>
            {densities.map((each) => (
              <option key={each} value={each}>
                {t(`density.${each}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t("profile.sendWith")}>
          <Select
            value={send_with}
            onChange={({ target }) => changePreferences({ send_with: target.value as "enter" | "mod-enter" })}
          >
            <option value="enter">{t("profile.sendWithEnter")}</option>
            <option value="mod-enter">{t("profile.sendWithModEnter")}</option>
          </Select>
        </Field>
        <Field label={t("profile.undoSend")} hint={t("profile.undoSendHint")}>
          <Select
            value={undo_send_seconds}
            onChange={({ target }) => changePreferences({ undo_send_seconds: Number(target.value) })}
          >
            <option value={0}>{t("profile.undoSendOff")}</option>
            {UNDO_SECONDS.map((seconds) => (
              <option key={seconds} value={seconds}>
                {secondsOf(seconds)}
              </option>
            ))}
          </Select>
        </Field>
        <Switch
          label={t("profile.assignOnReply")}
          hint={t("profile.assignOnReplyHint")}
          checked={assign_on_reply}
          onChange={(on) => changePreferences({ assign_on_reply: on })}
        />
        <Switch
          label={t("keys.single")}
          hint={t("profile.shortcutsHint")}
          checked={shortcuts}
          onChange={(on) => changePreferences({ shortcuts: on })}
        />
      </div>
    </Section>
  );
}

function Password() {
  const [changes, setChanges] = useState(0);
  const form = useForm(async ({ current_password = "", new_password = "" }) => {
    await askSession("changePassword", { body: { current_password, new_password } });
    await queries.invalidateQueries({ queryKey: ["sessions"] });
    showToast(t("profile.passwordChanged"));
    setChanges((before) => before + 1);
  });
  return (
    <Section title={t("password")} text={t("profile.passwordText")}>
      {/* Anew after a change: neither password stays in its field. */}
      <form key={changes} onSubmit={form.send} className="flex max-w-sm flex-col gap-4">
        <Field label={t("profile.currentPassword")} problem={form.problemOf("current_password")}>
          <TextInput name="current_password" type="password" autoComplete="current-password" required />
        </Field>
        <Field label={t("newPassword")} hint={t("passwordHint")} problem={form.problemOf("new_password")}>
          <TextInput name="new_password" type="password" autoComplete="new-password" required />
        </Field>
        <FormProblem text={form.problem} />
        <Button type="submit" className="self-start" disabled={form.busy}>
          {t("profile.changePassword")}
        </Button>
      </form>
    </Section>
  );
}

function Sessions() {
  const { data } = useQuery({ queryKey: ["sessions"], queryFn: () => askSession("listSessions") });
  const end = (work: Promise<unknown>) =>
    work.then(
      () => queries.invalidateQueries({ queryKey: ["sessions"] }),
      (error) => showProblem(problemText(error)),
    );
  const sessions = data?.sessions ?? [];
  return (
    <Section
      title={t("profile.sessions")}
      text={t("profile.sessionsText")}
      actions={
        sessions.length > 1 && (
          <Button onClick={() => end(askSession("endOtherSessions"))}>{t("profile.endOthers")}</Button>
        )
      }
    >
      <ul className="flex flex-col">
        {sessions.map(({ id, is_current, ip, user_agent, last_seen_at }) => (
          <li key={id} className="flex items-center gap-3 border-line border-t py-2.5 first:border-t-0">
            <span className="min-w-0 flex-1">
              <span className="block truncate">{browserName(user_agent)}</span>
              <span className="text-meta text-subtle">{[ip, ago(last_seen_at)].filter(Boolean).join(" · ")}</span>
            </span>
            {is_current ? (
              <Badge tone="success">{t("profile.thisOne")}</Badge>
            ) : (
              <Button size="compact" onClick={() => end(askSession("endSession", { params: { id } }))}>
                {t("own.signOut")}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
