import { Download } from "lucide-react";
import { type ComponentProps, Suspense, useState } from "react";
import { useMay } from "../service/me.ts";
import { t } from "../texts/texts.ts";
import { Button } from "../ui/button.tsx";
import { lazyPart } from "../ui/lazy-part.ts";

const ExportDialog = lazyPart(() => import("./export-dialog.tsx"), "ExportDialog", "export");

/** Everything about a contact as a file, for those who may. */
export function ContactExport({
  id,
  name,
  ...style
}: { id: string; name: string } & Pick<ComponentProps<typeof Button>, "look" | "size">) {
  const [open, setOpen] = useState(false);
  if (!useMay("export-contact")) return null;
  return (
    <>
      <Button {...style} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Download size={14} aria-hidden="true" />
        {t("contacts.export")}
      </Button>
      {open && (
        <Suspense>
          <ExportDialog id={id} name={name} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
