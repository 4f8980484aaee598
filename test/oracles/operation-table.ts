/** The operations table, which the declarations do not feed, and what is guarded although its row does not ask for it. */
import { tableOf } from "../lab/tables.js";

/** An operation as its document and the public facts have it. */
export interface Row {
  readonly document: string;
  readonly service: string;
  readonly method: string;
  readonly path: string;
  readonly effect: string;
}

/** What the sources say of its arguments and answers beside that. */
interface WholeRow extends Row {
  /** The tier of its example, as reviewed; reads have none. */
  readonly tier: string;
  /** Names, `*` for a required one, and behind a colon how several values are written. */
  readonly query: string;
  /** Members, `*` for a required one, and in brackets those of a member. */
  readonly body: string;
  /** The statuses that count as success; `?` marks one that no source shows. */
  readonly success: string;
}

export const operationTable = tableOf("oracles/operations.tsv").map((cells): WholeRow => {
  const [document = "", service = "", method = "", path = "", effect = "", ...more] = cells;
  const [tier = "", query = "", body = "", success = "200"] = more;
  return { document, service, method, path, effect, tier, query, body, success };
});

/** Method and path, which tell the operations apart. */
export const routeOf = ({ method, path }: Pick<Row, "method" | "path">): string => `${method} ${path}`;

/** The row of an operation that is in the table. */
export const rowOf = (operation: Pick<Row, "method" | "path">): WholeRow => {
  const row = operationTable.find((one) => routeOf(one) === routeOf(operation));
  if (!row) throw new Error(`no row for ${routeOf(operation)}`);
  return row;
};

/** What is guarded although its row does not say that it destroys something. */
export const guardedBesides: Readonly<Record<string, string>> = Object.fromEntries(
  tableOf("oracles/guarded-besides.tsv"),
);
