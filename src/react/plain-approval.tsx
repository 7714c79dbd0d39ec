import { useMemo } from "react";
import type { ResponseBody } from "../protocol/index.ts";
import { standIn } from "./prompt-from-props.ts";
import { Approval, type ToolApprovalProps } from "./tool-approval.tsx";
import { useTransport } from "./transport-context.tsx";

/** An approval known only by its call, which cannot tell what became of it elsewhere. */
export function PlainApproval(props: Extract<ToolApprovalProps, { toolCallId: string }>) {
  const { sessionId, toolCallId, toolName, input } = props;
  const transport = useTransport();
  const interaction = useMemo(
    () =>
      standIn(sessionId, toolCallId, {
        toolName,
        interactionType: "approval",
        toolInput: typeof input === "string" ? parseOr(input) : input,
      }),
    [sessionId, toolCallId, toolName, input],
  );
  const send = ({ action, approvalScope, reason, stop, responseId }: ResponseBody) =>
    action === "approve"
      ? transport.approveTool(sessionId, toolCallId, { scope: approvalScope, responseId })
      : transport.denyTool(sessionId, toolCallId, { reason, stop, responseId });
  return <Approval {...props} interaction={interaction} send={send} />;
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
