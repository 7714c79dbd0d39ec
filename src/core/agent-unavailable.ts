/** What an agent needs is not on this machine; the sentence says what to do. */
export class AgentUnavailable extends Error {
  override name = "AgentUnavailable";
}
