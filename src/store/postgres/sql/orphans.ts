type Sought = Record<"session" | "tool" | "requestDigest" | "inputDigest", string>;

/** Prompts of calls with a tool, input and question that nobody has adopted, in no order. */
export function orphansLike({ session, tool, requestDigest, inputDigest }: Sought): string {
  const which = (link: string) => /* sql */ `SELECT i.* FROM beckon.interactions i
  JOIN beckon.tool_calls c ON c.session_id = i.session_id AND c.id = i.call_id
  WHERE i.session_id = ${session} AND i.tool_name = ${tool} AND i.request_digest = ${requestDigest}
    AND c.input_digest = ${inputDigest} AND i.adopted_by_call IS NULL
    AND i.status IN ('open', 'answered') AND ${link}`;
  return /* sql */ `${which("i.link = 'orphaned' AND i.outcome IS NULL")}
    UNION ALL
    ${which("i.link = 'queued' AND i.type = 'approval'")}`;
}
