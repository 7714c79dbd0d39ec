/** No table changes: with a new version the functions are stored anew. */
export const fewerTrips = "SELECT 1";
