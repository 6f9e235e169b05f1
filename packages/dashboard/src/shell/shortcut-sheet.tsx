import { changePreferences, usePreferences } from "../service/preferences.ts";
import { t } from "../texts/texts.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Keys, spokenKeys } from "../ui/keys.tsx";
import { Switch } from "../ui/switch.tsx";
import { useAllCommands } from "./commands.ts";
import { listedShortcuts } from "./listed-shortcuts.ts";

/** All shortcuts, and the switch that disables single keys. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose(): void }) {
  const preferences = usePreferences();
  const groups = listedShortcuts(useAllCommands(), preferences);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t("keys.title")}
      width="wide"
      isText
      footer={
        <div className="me-auto">
          <Switch
            label={t("keys.single")}
            checked={preferences.shortcuts ?? true}
            onChange={(on) => changePreferences({ shortcuts: on })}
          />
        </div>
      }
    >
      <div className="columns-1 gap-10 md:columns-2">
        {groups.map(({ title, needs, shortcuts }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 font-medium text-meta text-subtle">{title}</h3>
            {needs && <p className="mb-1 text-meta text-subtle">{needs}</p>}
            <dl>
              {shortcuts.map(({ id, label, keys }) => (
                <div key={id} className="flex h-8 items-center justify-between gap-4">
                  <dt className="truncate">{label}</dt>
                  <dd>
                    <Keys keys={keys} />
                    <span className="sr-only">{spokenKeys(keys)}</span>
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
