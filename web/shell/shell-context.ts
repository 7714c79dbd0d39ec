import { createContext } from "react";

/** How a page's header reaches the frame around it. */
export const ShellContext = createContext<{
  /** Missing where the sidebar is in sight anyway. */
  openDrawer?: () => void;
}>({});
