import type { InboxContact } from "@frontdesk/core/contract/inbox";
import type { CustomDatum } from "@frontdesk/core/contract/resources";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { SourceMark } from "../contacts/detail-source.tsx";
import { rest } from "../service/rest.ts";
import { t } from "../texts/texts.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";

const INPUT =
  "h-8 min-w-0 rounded-control border border-transparent bg-transparent px-2 hover:border-line focus:border-control focus:bg-surface";

/** A contact's custom data, edited in place and stored on blur. */
export function CustomDataEditor({
  contactId,
  data,
  sources,
  onChange = () => {},
}: {
  contactId: string;
  data: readonly CustomDatum[];
  /** Who gave the values, by the ids of the fields. */
  sources: InboxContact["detail_sources"]["custom_data"];
  /** For screens that no live event refreshes. */
  onChange?(): void;
}) {
  const [adding, setAdding] = useState(false);
  const act = (work: Promise<unknown>) =>
    work.then(onChange, (error) => {
      showProblem(problemText(error));
      onChange();
    });
  const set = (name: string, value: string) =>
    act(rest.setCustomData({ params: { id: contactId, name }, body: { value } }));
  return (
    <div className="-mx-2 flex flex-col gap-0.5">
      {data.map(({ id, attributes: { name, value } }) => (
        <div key={id} className="group flex items-center gap-1 ps-2">
          <span dir="auto" className="aligned w-20 shrink-0 truncate text-muted" title={name}>
            {name}
          </span>
          <input
            // Show a new value from another browser as well.
            key={value}
            aria-label={name}
            defaultValue={value}
            dir="auto"
            className={`${INPUT} flex-1`}
            onKeyDown={({ key, currentTarget }) => key === "Enter" && currentTarget.blur()}
            onBlur={({ currentTarget }) => {
              if (currentTarget.value !== value) set(name, currentTarget.value);
            }}
          />
          <SourceMark source={sources[id]} />
          <IconButton
            label={t("removeData", { name })}
            className="size-7 opacity-0 focus-visible:opacity-100 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100"
            onClick={() => act(rest.removeCustomData({ params: { id: contactId, name } }))}
          >
            <Trash2 size={14} />
          </IconButton>
        </div>
      ))}
      {adding ? (
        <form
          className="flex items-center gap-1 ps-2"
          onSubmit={(event) => {
            event.preventDefault();
            const given = new FormData(event.currentTarget);
            setAdding(false);
            set(String(given.get("name")).trim(), String(given.get("value")));
          }}
        >
          <input
            name="name"
            required
            autoFocus
            maxLength={100}
            aria-label={t("dataName")}
            placeholder={t("dataName")}
            className={`${INPUT} w-24 border-control`}
          />
          <input
            name="value"
            aria-label={t("dataValue")}
            placeholder={t("dataValue")}
            className={`${INPUT} flex-1 border-control`}
          />
          <Button type="submit" size="compact" look="primary">
            {t("add")}
          </Button>
        </form>
      ) : (
        <Button look="quiet" size="compact" className="w-fit" onClick={() => setAdding(true)}>
          <Plus size={14} aria-hidden="true" />
          {t("addData")}
        </Button>
      )}
    </div>
  );
}
