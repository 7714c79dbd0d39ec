import type { Database } from "../database.ts";
import { first } from "./001-first.ts";
import { audit } from "./002-audit.ts";
import { recovery } from "./003-recovery.ts";
import { tokenParents } from "./004-token-parents.ts";
import { callSeeds } from "./005-call-seeds.ts";
import { queuedApprovals } from "./006-queued-approvals.ts";
import { budgets } from "./007-budgets.ts";
import { chainIds } from "./008-chain-ids.ts";
import { restingLeases } from "./009-resting-leases.ts";
import { noCounters } from "./010-no-counters.ts";
import { eventsWithoutIndex } from "./011-events-without-index.ts";
import { unreadColumns } from "./012-unread-columns.ts";
import { nodes } from "./013-nodes.ts";
import { eventsInOrder } from "./014-events-in-order.ts";

/** SQL, or work that SQL alone cannot do. Either runs inside a transaction. */
export type Migration = string | ((database: Database) => void);

/** In order; number n takes a database from version n - 1 to n. Add to the end, never change one. */
export const MIGRATIONS: readonly Migration[] = [
  first,
  audit,
  recovery,
  tokenParents,
  callSeeds,
  queuedApprovals,
  budgets,
  chainIds,
  restingLeases,
  noCounters,
  eventsWithoutIndex,
  unreadColumns,
  nodes,
  eventsInOrder,
];
