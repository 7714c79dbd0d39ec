/** How a value is kept: `json` as text, `bool` as 0 or 1; null is always SQL NULL. */
export type Kind = "text" | "int" | "json" | "bool";

export interface Description<Row> {
  /** The columns that name a row, in the order of a `RowId`. */
  readonly key: readonly (keyof Row & string)[];
  /** By their names in TypeScript; in SQL they are written in snake_case. */
  readonly columns: { readonly [Name in keyof Row]-?: Kind };
}
