export {
  checkDurableTool,
  type DurabilityReport,
  type DurableToolOptions,
} from "./check-durable-tool.ts";
export type { BrokenRule, DurabilityRule } from "./durable-tool/rules.ts";
export type { ScriptedAnswer } from "./durable-tool/run-tool.ts";
export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export {
  createFakeTransport,
  type FakeCall,
  fakeSession,
  type FakeTransport,
  type FakeTransportOptions,
} from "./fake-transport.ts";
export {
  type FakeAnthropic,
  latest,
  type ModelRequest,
  type ModelScript,
  type ReceivedResult,
  startFakeAnthropic,
} from "./fake-anthropic/index.ts";
export {
  type FakeOpenai,
  latestInput,
  type OpenaiRequest,
  type OpenaiScript,
  startFakeOpenai,
} from "./fake-openai/index.ts";
export { loadPluginTools, type PluginTools } from "./load-plugin-tools.ts";
export {
  type ModelBlock,
  type ModelReply,
  overloaded,
  says,
  thinking,
  toolUse,
} from "./scripted-model/reply.ts";
export { storeContract, transportContract } from "./vitest-only.ts";
export type { OpenedStore } from "./store-contract/subject.ts";
export type { TransportSubject } from "./transport-contract/subject.ts";
export { withLatency } from "./with-latency.ts";
export { createLossyBuses } from "./lossy-bus.ts";
export { createRandom } from "./random.ts";
export {
  CRASH_POINTS as unstable_CRASH_POINTS,
  type CrashPoint as unstable_CrashPoint,
  withCrashPoints as unstable_withCrashPoints,
} from "./crash-points.ts";
