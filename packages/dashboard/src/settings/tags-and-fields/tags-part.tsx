import type { TagInUse } from "@frontdesk/core/contract/session";
import { useQuery } from "@tanstack/react-query";
import { Pencil, Plus, Tag, Trash2 } from "lucide-react";
import { useState } from "react";
import { askSession } from "../../service/ask-session.ts";
import { queries } from "../../service/queries.ts";
import { t } from "../../texts/texts.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Section } from "../../ui/page.tsx";
import { problemText } from "../../ui/problem-text.ts";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toast.ts";
import { RemovalDialog } from "./removal-dialog.tsx";
import { TagDialog } from "./tag-dialog.tsx";
import { tagsQuery } from "./tags-and-fields-queries.ts";

/** Saved views of a merged tag show the other one. */
const changed = () =>
  Promise.all([
    queries.invalidateQueries({ queryKey: tagsQuery.queryKey }),
    queries.invalidateQueries({ queryKey: ["saved-views"] }),
  ]);

/** The team's tags: names, colors, adding and removing. */
export function TagsPart() {
  const { data: tags, isPending, error, refetch } = useQuery(tagsQuery);
  const [editing, setEditing] = useState<TagInUse | "new">();
  const [removing, setRemoving] = useState<TagInUse>();
  const add = (
    <Button look="primary" onClick={() => setEditing("new")}>
      <Plus size={14} aria-hidden="true" />
      {t("tags.add")}
    </Button>
  );
  return (
    <Section title={t("tags")} text={t("tags.text")} actions={add}>
      {isPending && <SkeletonRows rows={4} height={49} />}
      {error && (
        <EmptyState icon={Tag} title={t("trouble.title")} text={problemText(error)}>
          <Button onClick={() => refetch()}>{t("tryAgain")}</Button>
        </EmptyState>
      )}
      {tags?.length === 0 && <EmptyState icon={Tag} title={t("tags.none")} text={t("tags.noneText")} />}
      <ul>
        {tags?.map((tag) => (
          <li key={tag.id} className="flex items-center gap-3 border-line border-t py-2 first:border-t-0">
            <span
              aria-hidden="true"
              className="size-2.5 shrink-0 rounded-full"
              style={{ backgroundColor: tag.color ?? "var(--control)" }}
            />
            <span dir="auto" className="aligned min-w-0 flex-1 truncate font-medium">
              {tag.name}
            </span>
            <span className="numbers shrink-0 text-meta text-subtle">
              {t("tags.use", { count: tag.conversations })}
            </span>
            <IconButton label={t("change", { name: tag.name })} onClick={() => setEditing(tag)}>
              <Pencil size={14} />
            </IconButton>
            <IconButton label={t("removeData", { name: tag.name })} onClick={() => setRemoving(tag)}>
              <Trash2 size={14} />
            </IconButton>
          </li>
        ))}
      </ul>
      {editing && (
        <TagDialog
          tag={editing === "new" ? undefined : editing}
          others={(tags ?? []).filter((tag) => tag !== editing)}
          onChanged={changed}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing && (
        <RemovalDialog
          title={t("tags.remove", { name: removing.name })}
          text={
            removing.conversations === 0
              ? t("tags.removeUnused")
              : t("tags.removeText", { count: removing.conversations })
          }
          remove={async () => {
            await askSession("deleteTag", { params: { id: removing.id } });
            await changed();
            showToast(t("did.untagged", { name: removing.name }));
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Section>
  );
}
