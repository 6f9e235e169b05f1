import { LazyVerifyDialog } from "../sign-in/lazy-verify-dialog.ts";
import { lazyPart } from "../ui/lazy-part.ts";
import { CommandPalette } from "./command-palette.tsx";
import { NavLayer } from "./nav-layer.tsx";
import { SearchLayer } from "./search-layer.tsx";
import type { Layer } from "./shell-state.ts";
import { ShortcutSheet } from "./shortcut-sheet.tsx";

const NewMail = lazyPart(() => import("../conversation/new-mail.tsx"), "NewMail", "mail");

/** The layers over the page. */
export function Layers({ layer, onClose }: { layer: Layer; onClose(): void }) {
  switch (layer) {
    case "palette":
      return <CommandPalette open onClose={onClose} />;
    case "search":
      return <SearchLayer open onClose={onClose} />;
    case "keys":
      return <ShortcutSheet open onClose={onClose} />;
    case "nav":
      return <NavLayer open onClose={onClose} />;
    case "new-mail":
      return <NewMail onClose={onClose} />;
    case "verify":
      return <LazyVerifyDialog />;
    default:
      return layer satisfies never;
  }
}
