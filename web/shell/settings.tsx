import { Settings as Gear } from "lucide-react";
import { visibleText } from "../../src/client/index.ts";
import { useConnection } from "../../src/react/index.ts";
import { SettingsPanel } from "./settings-panel.tsx";
import type { ShellProps } from "./shell.tsx";

const CONNECTION = {
  online: "Connected",
  connecting: "Connecting…",
  offline: "Offline",
  signed_out: "Signed out",
};

export function Settings({ name, onSignedOut }: ShellProps) {
  const { state } = useConnection();
  return (
    <details className="shrink-0 border-t border-line" name="settings">
      <summary className="flex min-h-11 items-center gap-2.5 px-4 py-3 text-sm">
        <span className={state === "online" ? "dot-online" : "dot-offline"} />
        <span className="min-w-0 flex-1 truncate">
          {visibleText(name)} <span className="text-soft">· {CONNECTION[state]}</span>
        </span>
        <Gear aria-hidden size={16} className="text-soft" />
        <span className="sr-only">Settings</span>
      </summary>
      <SettingsPanel name={name} onSignedOut={onSignedOut} />
    </details>
  );
}
