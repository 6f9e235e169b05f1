import type { SavedView } from "@frontdesk/core/contract/inbox";
import { useNavigate } from "@tanstack/react-router";
import { MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import { Suspense, useState } from "react";
import { t } from "../texts/texts.ts";
import { IconButton } from "../ui/button.tsx";
import { lazyPart } from "../ui/lazy-part.ts";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { problemText } from "../ui/problem-text.ts";
import { showProblem } from "../ui/toast.ts";
import { removeSavedView } from "./saved-views.ts";

const RenameView = lazyPart(() => import("./rename-view.tsx"), "RenameView");

/** What can be done with the saved view that is shown. */
export function SavedViewMenu({ view }: { view: SavedView }) {
  const navigate = useNavigate();
  const [renaming, setRenaming] = useState(false);
  const remove = () =>
    removeSavedView(view.id).then(
      () => navigate({ to: "/inbox", search: {} }),
      (error) => showProblem(problemText(error)),
    );
  return (
    <>
      <Menu
        trigger={
          <IconButton label={t("savedView.menu")}>
            <MoreHorizontal size={16} />
          </IconButton>
        }
      >
        <MenuItem icon={<Pencil size={14} />} onSelect={() => setRenaming(true)}>
          {t("savedView.rename")}
        </MenuItem>
        <MenuItem icon={<Trash2 size={14} />} danger onSelect={remove}>
          {t("savedView.remove")}
        </MenuItem>
      </Menu>
      {renaming && (
        <Suspense>
          <RenameView view={view} onClose={() => setRenaming(false)} />
        </Suspense>
      )}
    </>
  );
}
