/** Calls of before have none. */
export const callSeeds = /* sql */ `
ALTER TABLE tool_calls ADD COLUMN seed TEXT;
`;
