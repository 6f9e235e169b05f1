import { Menu as Base } from "@base-ui/react/menu";
import type { RewriteWay } from "@frontdesk/core/domain/ai/copilot";
import { ChevronRight, FileText, Languages, PenLine, Sparkles, SpellCheck, WandSparkles } from "lucide-react";
import { languages, nameOfLanguage, t } from "../texts/texts.ts";
import { IconButton } from "../ui/button.tsx";
import { MENU_LOOK, Menu, MenuItem, MenuSeparator } from "../ui/menu.tsx";
import type { Mode } from "./composer.tsx";

const WAYS = ["shorter", "friendlier", "formal", "fix"] as const satisfies readonly RewriteWay[];

/** What the copilot can do with the field: write a reply, rewrite what is there, or summarise the conversation in a note. */
export function CopilotMenu({
  mode,
  hasText,
  onDraft,
  onRewrite,
  onSummary,
}: {
  mode: Mode;
  hasText: boolean;
  onDraft(): void;
  onRewrite(how: RewriteWay, language?: string): void;
  onSummary(): void;
}) {
  return (
    <Menu
      side="top"
      align="start"
      trigger={
        <IconButton label={t("copilot.menu")}>
          <Sparkles size={16} />
        </IconButton>
      }
    >
      {mode === "reply" ? (
        <MenuItem icon={<PenLine size={14} />} keys="$mod+J" onSelect={onDraft}>
          {t("copilot.draft")}
        </MenuItem>
      ) : (
        <MenuItem icon={<FileText size={14} />} onSelect={onSummary}>
          {t("copilot.summary")}
        </MenuItem>
      )}
      {hasText && (
        <>
          <MenuSeparator />
          {WAYS.map((how) => (
            <MenuItem
              key={how}
              icon={how === "fix" ? <SpellCheck size={14} /> : <WandSparkles size={14} />}
              onSelect={() => onRewrite(how)}
            >
              {t(`copilot.${how}`)}
            </MenuItem>
          ))}
          <TranslateMenu onSelect={(tag) => onRewrite("translate", tag)} />
        </>
      )}
    </Menu>
  );
}

function TranslateMenu({ onSelect }: { onSelect(tag: string): void }) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className="flex h-8 cursor-default select-none items-center gap-2 rounded-control px-2 outline-none data-highlighted:bg-active data-popup-open:bg-active pointer-coarse:h-11">
        <Languages size={14} className="shrink-0 text-muted" />
        <span className="flex-1">{t("copilot.translateTo")}</span>
        <ChevronRight size={14} className="text-muted rtl:-scale-x-100" />
      </Base.SubmenuTrigger>
      <Base.Portal container={document.querySelector("main")}>
        <Base.Positioner sideOffset={2} className="z-50">
          <Base.Popup className={`${MENU_LOOK} max-h-80 overflow-y-auto`}>
            {languages.map((tag) => (
              <MenuItem key={tag} onSelect={() => onSelect(tag)}>
                {nameOfLanguage(tag)}
              </MenuItem>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.SubmenuRoot>
  );
}
