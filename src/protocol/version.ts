/** Of the wire contract. Stands alone so that a browser can have it without the schemas. */
export const PROTOCOL_VERSION = 1;
