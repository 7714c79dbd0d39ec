/** A suspended run has a lease while a piece of its handler may still be at work; few have. */
export const restingLeases = /* sql */ `
CREATE INDEX runs_resting_by_lease ON runs (lease_until)
  WHERE status = 'suspended' AND lease_until IS NOT NULL;
CREATE INDEX runs_resting_by_owner ON runs (owner)
  WHERE status = 'suspended' AND lease_until IS NOT NULL;
`;
