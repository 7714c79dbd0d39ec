export const tokenParents = /* sql */ `
ALTER TABLE tokens ADD COLUMN parent_id TEXT;
`;
