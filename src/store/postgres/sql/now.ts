/** The one clock of all nodes, in milliseconds. Stable, so that an index can be asked with it. */
export const now = /* sql */ `
CREATE OR REPLACE FUNCTION beckon.beckon_now() RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
AS $$ SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;
`;
