/** The rows of the operations table that the tools cover: one for each operation, whichever tool serves it. */
import { argumentsSchema } from "../api/arguments.js";
import type { GuardKind } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { effectOf, guardOf } from "../api/effect.js";
import { schemaOfParam } from "../api/media.js";
import type { Service } from "../api/service.js";
import type { Standing } from "../api/standing.js";
import { z } from "../api/z.js";

/** One covered row of the operations table. */
export interface OperationRow {
  readonly tool: string;
  readonly service: string;
  readonly document: string;
  readonly method: string;
  readonly path: string;
  readonly does: string;
  readonly effect: string;
  readonly guard: GuardKind | null;
  /** Whether the vendor still runs it. */
  readonly standing: Standing;
  readonly query: readonly { readonly name: string; readonly required: boolean }[];
  /** The arguments that pick this row where one tool serves several. */
  readonly fixed: Readonly<Record<string, string>>;
}

/** The values of an enumeration, which one tool serves and the table writes as rows. */
function valuesOf(operation: AnyOperation, name: string): readonly string[] {
  const schema = argumentsSchema(operation).shape[name] as z.ZodType | undefined;
  return schema instanceof z.ZodEnum ? schema.options.map(String) : [];
}

function rowsOf(tool: string, operation: AnyOperation, service: Service): readonly OperationRow[] {
  const [method = "", path = ""] = operation.route.split(" ");
  const query = Object.entries(operation.spec.query ?? {}).map(([name, param]) => ({
    name,
    required: !schemaOfParam(param).safeParse(undefined).success,
  }));
  const row = {
    tool,
    service: service.name,
    document: service.document,
    method,
    path,
    does: operation.spec.does,
    effect: effectOf(operation),
    guard: guardOf(operation)?.kind ?? null,
    standing: operation.spec.standing ?? service.standing,
    query,
    fixed: {},
  };
  const over = [operation.spec.rowsOver ?? []].flat();
  return over.reduce<readonly OperationRow[]>(
    (rows, name) =>
      rows.flatMap((one) =>
        valuesOf(operation, name).map((value) => ({
          ...one,
          path: one.path.replace(`{${name}}`, value),
          fixed: { ...one.fixed, [name]: value },
        })),
      ),
    [row],
  );
}

/** Every covered row, in the order of the documents. */
export const operationRows = (all: readonly Service[]): OperationRow[] =>
  all.flatMap((service) =>
    Object.entries(service.operations).flatMap(([tool, operation]) => rowsOf(tool, operation, service)),
  );
