import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { Tooltip } from "@base-ui/react/tooltip";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { queries } from "./service/queries.ts";
import { router } from "./routes.tsx";
import { direction } from "./texts/texts.ts";
import { Toasts } from "./ui/toast.tsx";

/** Styles come from our own file alone: the policy lets in no others. */
export function App() {
  return (
    <CSPProvider disableStyleElements>
      <DirectionProvider direction={direction}>
        <QueryClientProvider client={queries}>
          <Tooltip.Provider delay={500}>
            <RouterProvider router={router} />
            <Toasts />
          </Tooltip.Provider>
        </QueryClientProvider>
      </DirectionProvider>
    </CSPProvider>
  );
}
