import { ROOT } from "../../service/send.ts";
import { t } from "../../texts/texts.ts";
import { CodeToCopy } from "../../ui/copy-button.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { assistantSetUps } from "./assistant-set-ups.ts";

/** How to set up this connection in the programs that run assistants. */
export function AssistantSetUp({ token }: { token: string }) {
  const code = assistantSetUps(ROOT, token);
  const ways = [
    { name: "claudeCode", label: "Claude Code", text: t("assistants.setUp.terminal"), code: code.claudeCode },
    { name: "codex", label: "Codex", text: t("assistants.setUp.terminal"), code: code.codex },
    { name: "cursor", label: "Cursor", text: t("assistants.setUp.cursor"), code: code.cursor },
    {
      name: "program",
      label: t("assistants.setUp.program"),
      text: t("assistants.setUp.programText"),
      code: code.program,
    },
    { name: "http", label: t("assistants.setUp.http"), text: t("assistants.setUp.httpText"), code: code.http },
  ];
  return (
    <div>
      <Tabs
        label={t("assistants.setUp")}
        tabs={ways.map((way) => ({
          name: way.name,
          label: way.label,
          content: (
            <>
              <p className="mb-3 text-muted">{way.text}</p>
              <CodeToCopy label={way.label} text={way.code} look="plain" />
            </>
          ),
        }))}
      />
    </div>
  );
}
