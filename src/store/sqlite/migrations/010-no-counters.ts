// How many prompts are open is counted when the store opens, and not with every row.
export const noCounters = /* sql */ `
DROP TRIGGER interaction_opened;
DROP TRIGGER interaction_closed;
DROP TRIGGER interaction_reopened;
DROP TRIGGER budget_opened;
DROP TRIGGER budget_closed;
DROP TRIGGER budget_reopened;
DELETE FROM counters WHERE name = 'open' OR name LIKE 'open:%' OR name LIKE 'open@%';
`;
