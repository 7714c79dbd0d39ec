import { Menu } from "lucide-react";
import { type ReactNode, use } from "react";
import { ModeSwitch } from "./mode-switch.tsx";
import { ShellContext } from "./shell-context.ts";
import { useInbox } from "./world.tsx";

export function PageHeader({ children }: { children: ReactNode }) {
  const { openDrawer } = use(ShellContext);
  const waiting = useInbox().interactions.length;
  return (
    <header className="flex h-14 shrink-0 items-center gap-3 border-b border-line px-4">
      {openDrawer && (
        <button
          className="icon-button relative -ml-2"
          onClick={openDrawer}
          aria-label={waiting > 0 ? `Sessions, ${waiting} waiting` : "Sessions"}
        >
          <Menu aria-hidden size={20} />
          {waiting > 0 && <span className="dot-badge" />}
        </button>
      )}
      <div className="flex min-w-0 flex-1 items-center gap-3">{children}</div>
      <ModeSwitch />
    </header>
  );
}
