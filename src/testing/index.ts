export { createFakeClock, type FakeClock } from "./fake-clock.ts";
export { storeContract } from "./store-contract.ts";
export type { OpenedStore } from "./store-contract/subject.ts";
export { withLatency } from "./with-latency.ts";
export { createLossyBuses } from "./lossy-bus.ts";
export { createRandom } from "./random.ts";
