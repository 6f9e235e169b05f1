import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { Suspense } from "react";
import { router } from "./routes.tsx";
import { queries } from "./service/queries.ts";
import { direction } from "./texts/texts.ts";
import { backgroundPart } from "./ui/lazy-part.ts";

/** Loaded later: there is no toast before the agent has done something. */
const Toasts = backgroundPart(() => import("./ui/toasts.tsx"), "Toasts");

/** Styles come only from our own files: the content security policy forbids others. */
export function App() {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={direction}>
        <QueryClientProvider client={queries}>
          <Tooltip.Provider delay={500}>
            <RouterProvider router={router} />
            <Suspense>
              <Toasts />
            </Suspense>
          </Tooltip.Provider>
        </QueryClientProvider>
      </DirectionProvider>
    </CSPProvider>
  );
}
