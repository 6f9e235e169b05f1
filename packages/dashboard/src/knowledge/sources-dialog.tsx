import type { ArticleSite } from "@frontdesk/core/contract/session-sources";
import { useQuery } from "@tanstack/react-query";
import { RefreshCw, Trash2, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { useFileDrop } from "../conversation/use-file-drop.ts";
import { askSession } from "../service/ask-session.ts";
import { queries } from "../service/queries.ts";
import { shortWhen } from "../texts/dates.ts";
import { type TextKey, t } from "../texts/texts.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field, TextInput } from "../ui/field.tsx";
import { FormProblem, useForm } from "../ui/form.tsx";
import { problemText } from "../ui/problem-text.ts";
import { Switch } from "../ui/switch.tsx";
import { showProblem, showToast } from "../ui/toast.ts";
import { importFile } from "./import-file.ts";

/** While a site is read, its state is asked for this often. */
const LOOK_MS = 3_000;

/** Where articles come from besides agents: websites, for admins, and files. */
export function SourcesDialog({ mayAddSites, onClose }: { mayAddSites: boolean; onClose(): void }) {
  return (
    <Dialog open onClose={onClose} title={t("sources.title")} text={t("sources.text")} width="wide">
      <div className="flex flex-col gap-6">
        <Sites mayChange={mayAddSites} />
        <Files />
      </div>
    </Dialog>
  );
}

function Sites({ mayChange }: { mayChange: boolean }) {
  const [removed, setRemoved] = useState<ArticleSite>();
  const found = useQuery({
    queryKey: ["article-sites"],
    queryFn: () => askSession("listSites", {}),
    refetchInterval: ({ state }) => (state.data?.sites.some((site) => site.state !== "read") ? LOOK_MS : false),
  });
  const changed = () => queries.invalidateQueries({ queryKey: ["article-sites"] });
  const input = useRef<HTMLFormElement>(null);
  const form = useForm(async ({ address = "" }) => {
    await askSession("addSite", { body: { address } });
    input.current?.reset();
    await changed();
  });
  const sites = found.data?.sites ?? [];
  return (
    <section aria-label={t("sources.sites")} className="flex flex-col gap-3">
      <h2 className="font-medium">{t("sources.sites")}</h2>
      {found.isError && <p className="text-muted">{problemText(found.error)}</p>}
      {found.isSuccess && sites.length === 0 && <p className="text-muted">{t("sources.none")}</p>}
      {sites.length > 0 && (
        <ul className="flex flex-col rounded-control border border-line">
          {sites.map((site) => (
            <li key={site.id} className="flex items-start gap-2 border-line border-b p-3 last:border-b-0">
              <div className="min-w-0 flex-1">
                <p dir="ltr" className="aligned wrap-anywhere font-medium">
                  {site.address}
                </p>
                <p className="text-meta text-muted">{stateOf(site)}</p>
                {site.problem && site.state === "read" && (
                  <p className="mt-1 text-danger text-meta">{problemOf(site)}</p>
                )}
              </div>
              {mayChange && (
                <>
                  <IconButton
                    label={t("sources.readAgain")}
                    disabled={site.state !== "read"}
                    onClick={() =>
                      void askSession("readSiteAgain", { params: { id: site.id } })
                        .then(changed)
                        .catch((error) => showProblem(problemText(error)))
                    }
                  >
                    <RefreshCw size={16} />
                  </IconButton>
                  <IconButton label={t("sources.remove")} onClick={() => setRemoved(site)}>
                    <Trash2 size={16} />
                  </IconButton>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayChange && (
        <form ref={input} onSubmit={form.send} className="flex flex-col gap-2">
          <FormProblem text={form.problem} />
          <Field label={t("sources.address")} hint={t("sources.addressHint")} problem={form.problemOf("address")}>
            <TextInput name="address" dir="ltr" required placeholder="https://www.example.com/help/" />
          </Field>
          <div>
            <Button type="submit" disabled={form.busy}>
              {t("sources.add")}
            </Button>
          </div>
        </form>
      )}
      {removed && (
        <ConfirmDialog
          title={t("sources.removeTitle")}
          text={t("sources.removeText", { address: removed.address })}
          action={t("sources.remove")}
          onConfirm={async () => {
            await askSession("removeSite", { params: { id: removed.id } });
            await changed();
            await queries.invalidateQueries({ queryKey: ["articles"] });
          }}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </section>
  );
}

function stateOf({ state, pages, troubled_pages: troubled, read_at: at }: ArticleSite): string {
  if (state === "waiting") return t("sources.waiting");
  const count = t("sources.pages", { count: pages });
  if (state !== "read") return `${t("sources.reading")} ${count}`;
  const said = [at && t("sources.readAt", { when: shortWhen(at) }), count];
  return [...said, troubled > 0 && t("sources.troubled", { count: troubled })].filter(Boolean).join(" · ");
}

const PROBLEMS: Record<NonNullable<ArticleSite["problem"]>, TextKey> = {
  blocked: "sources.problem.blocked",
  name: "sources.problem.name",
  away: "sources.problem.away",
  certificate: "sources.problem.certificate",
  failing: "sources.problem.failing",
  moved: "sources.problem.moved",
  robots: "sources.problem.robots",
  large: "sources.problem.empty",
  unreadable: "sources.problem.empty",
  gone: "sources.problem.empty",
  empty: "sources.problem.empty",
  many: "sources.problem.many",
};

const problemOf = ({ problem, problem_detail: detail }: ArticleSite): string =>
  problem ? t(PROBLEMS[problem], { detail: detail ?? "" }) : "";

function Files() {
  const [isPublished, setPublished] = useState(false);
  const [busy, setBusy] = useState(false);
  const chosen = useRef<HTMLInputElement>(null);
  const importAll = async (files: readonly File[]) => {
    setBusy(true);
    let count = 0;
    for (const file of files) {
      try {
        const imported = await importFile(file, isPublished ? "published" : "draft");
        count += imported.count;
        if (!imported.isWhole) showProblem(t("sources.onlyFirst", { name: file.name, count: imported.count }));
      } catch (error) {
        // The others are read all the same.
        showProblem(`${file.name}: ${problemText(error)}`);
      }
    }
    if (count > 0) showToast(t("sources.imported", { count }));
    setBusy(false);
    await queries.invalidateQueries({ queryKey: ["articles"] });
  };
  const over = useFileDrop((files) => void importAll(files));
  return (
    <section
      aria-label={t("sources.files")}
      className={`flex flex-col gap-3 rounded-control border border-dashed p-4 ${over ? "border-accent" : "border-line"}`}
    >
      <h2 className="font-medium">{t("sources.files")}</h2>
      <p className="text-meta text-muted">{t("sources.filesHint")}</p>
      <Switch label={t("sources.publish")} checked={isPublished} onChange={setPublished} />
      <input
        ref={chosen}
        type="file"
        multiple
        hidden
        accept=".pdf,.docx,.md,.markdown,.txt"
        aria-label={t("sources.importFile")}
        onChange={({ target }) => {
          void importAll([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      <div>
        <Button disabled={busy} onClick={() => chosen.current?.click()}>
          <Upload size={14} aria-hidden="true" />
          {t(busy ? "sources.reading" : "sources.importFile")}
        </Button>
      </div>
    </section>
  );
}
