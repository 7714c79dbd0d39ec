import { Component, type ReactNode } from "react";

/** Keeps a fault in one part from taking the whole page with it, and with it every open prompt. */
export class FaultBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
    return (
      <p role="alert" className="error-note">
        This part could not be drawn. Nothing was answered: a prompt that stood here still waits,
        and
        <code>beckon inbox</code> shows it in a terminal.
      </p>
    );
  }
}
