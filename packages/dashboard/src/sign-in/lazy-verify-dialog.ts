import { lazyPart } from "../ui/lazy-part.ts";

export const LazyVerifyDialog = lazyPart(() => import("./verify-dialog.tsx"), "VerifyDialog", "security");
