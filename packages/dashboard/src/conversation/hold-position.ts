import { createContext } from "react";

/**
 * To be called before a message changes its height because the agent wants it to: its top stays in place then. Otherwise a
 * thread keeps its end in place.
 */
export const HoldPosition = createContext(() => {});
