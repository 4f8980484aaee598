/** What is declared of an operation as one value: its schemas, answers, rules, errors and an example. */
import { argumentsSchema } from "../api/arguments.js";
import { bodySchema, formatsOf } from "../api/choice.js";
import type { Awaits } from "../api/conduct.js";
import type { AnyOperation } from "../api/define.js";
import { aboutDestinations, effectOf, guardOf } from "../api/effect.js";
import { resolvedExample } from "../api/example.js";
import { adviceOnRoute, hintFor, statusesOfRoutes } from "../api/hint.js";
import { jsonSchemaOf } from "../api/json-schema.js";
import { choiceOrMedia, mediaList } from "../api/media.js";
import { onceFor } from "../api/once-for.js";
import type { Service } from "../api/service.js";
import { standingInWords } from "../api/standing.js";
import type { z } from "../api/z.js";

export interface OperationPage {
  readonly tool: string;
  readonly service: string;
  readonly document: string;
  /** Whether the vendor still runs it. */
  readonly standing: string;
  readonly route: string;
  readonly does: string;
  readonly needs?: string;
  readonly effect: string;
  readonly guard?: string;
  /** When it is, where that is not always. */
  readonly guardedWhere?: string;
  readonly input: unknown;
  readonly answers: Readonly<Record<string, { readonly media: readonly string[]; readonly schema?: unknown }>>;
  readonly formats?: readonly string[];
  readonly rules: readonly string[];
  /** Those of the rules that every operation of the service has. */
  readonly rulesOfAll: readonly string[];
  readonly means: Readonly<Record<string, string>>;
  /** The tools that poll a launch and read its result. */
  readonly awaits?: { readonly status: string; readonly result?: string };
  readonly errors: Readonly<Record<string, string>>;
  readonly note?: string;
  readonly example: Readonly<Record<string, unknown>>;
}

const schemaOf = (schema: z.ZodType, io: "input" | "output"): unknown => {
  const { $schema: _, ...rest } = jsonSchemaOf(schema, io);
  return rest;
};

// With fewer operations there is no telling what is common to a service.
const leastInCommon = 3;

/** The rules that every operation of a service has. */
const rulesOfAll = onceFor(({ operations, rules }: Service): readonly string[] => {
  const all = Object.values(operations);
  if (all.length < leastInCommon) return [];
  return Object.entries(rules).flatMap(([id, rule]) => (all.every(({ spec }) => spec.rules?.includes(id)) ? rule : []));
});

const pollingTools = ({ status, result }: Awaits) => ({ status, ...(result === undefined ? {} : { result }) });

/** Everything declared about an operation, in readable form. */
export function operationPage(tool: string, operation: AnyOperation, service: Service, nowMs: number): OperationPage {
  const { spec, route } = operation;
  const guard = guardOf(operation);
  const answers = Object.entries(spec.returns).map(([status, declared]) => {
    const media = mediaList(declared);
    const [first] = media;
    const hasBody = first !== undefined && first.codec !== "empty";
    // Each choice has its own schema; the formats that `format` selects have the same content.
    const schema = "choices" in choiceOrMedia(declared) ? bodySchema(media) : first?.schema;
    return [
      status,
      {
        media: media.map((one) => one.type || "no body"),
        ...(hasBody && schema ? { schema: schemaOf(schema, "output") } : {}),
      },
    ];
  });
  const formats = formatsOf(operation);
  return {
    tool,
    service: service.title,
    document: service.document,
    standing: standingInWords(spec.standing ?? service.standing),
    route,
    does: spec.does,
    ...(spec.needs === undefined ? {} : { needs: spec.needs }),
    effect: effectOf(operation),
    ...(guard === undefined ? {} : { guard: guard.kind }),
    ...(guard?.isAboutDestinations ? { guardedWhere: aboutDestinations } : {}),
    input: schemaOf(argumentsSchema(operation), "input"),
    answers: Object.fromEntries(answers),
    ...(formats.length > 1 ? { formats } : {}),
    rules: (spec.rules ?? []).map((id) => service.rules[id] ?? id),
    rulesOfAll: rulesOfAll(service),
    means: spec.means ?? {},
    ...(spec.awaits === undefined ? {} : { awaits: pollingTools(spec.awaits) }),
    errors: Object.fromEntries(
      [...new Set([...Object.keys(spec.errors ?? {}).map(Number), ...statusesOfRoutes(spec)])].map((status) => [
        status,
        [hintFor(spec, status), adviceOnRoute(tool, operation, status)].filter(Boolean).join(" "),
      ]),
    ),
    ...(spec.note === undefined ? {} : { note: spec.note }),
    example: resolvedExample(spec.example, nowMs),
  };
}
