import { Languages } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { tabTitle } from "../shell/page-title.ts";
import { language, languages, nameOfLanguage, setLanguage, t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/class-names.ts";
import { Logo } from "../ui/logo.tsx";
import { Menu, MenuChoice } from "../ui/menu.tsx";

/** The frame of all pages outside of the inbox: one card, one question. */
export function SignInFrame({
  title,
  text,
  width = "narrow",
  children,
}: {
  title: string;
  text?: ReactNode;
  width?: "narrow" | "wide";
  children?: ReactNode;
}) {
  useEffect(() => {
    document.title = tabTitle(title);
  }, [title]);
  return (
    <div className="flex h-full flex-col overflow-y-auto bg-app">
      <main className={cx("m-auto w-full px-4 py-10", width === "wide" ? "max-w-2xl" : "max-w-sm")}>
        <Logo className="mb-8" />
        <h1 className="font-semibold text-page">{title}</h1>
        {text && <p className="mt-1 text-muted">{text}</p>}
        {children && <div className="mt-6">{children}</div>}
      </main>
      <footer className="flex justify-center pb-6">
        <Menu
          side="top"
          align="start"
          trigger={
            <Button look="quiet" size="compact" aria-label={`${t("language")}: ${nameOfLanguage(language)}`}>
              <Languages size={14} aria-hidden="true" />
              {nameOfLanguage(language)}
            </Button>
          }
        >
          <MenuChoice
            value={language}
            choices={languages.map((value) => ({ value, label: nameOfLanguage(value) }))}
            onChange={setLanguage}
          />
        </Menu>
      </footer>
    </div>
  );
}
