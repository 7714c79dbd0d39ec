interface LeaveProps {
  /** What leaving it unanswered is called. */
  label: string;
  cancel: () => void;
  decline: () => void;
}

/** The two ways not to answer. Both work at once: neither lets anything run. */
export function Leave({ label, cancel, decline }: LeaveProps) {
  return (
    <div className="bk-leave">
      <button type="button" onClick={cancel} title="Leaves this unanswered, without a yes or a no">
        {label}
      </button>
      <button type="button" onClick={decline} title="Says no: the agent is told that you refuse">
        Decline
      </button>
    </div>
  );
}
