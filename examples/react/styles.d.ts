/** Bundlers take style sheets; TypeScript has to be told. */
declare module "*.css";
