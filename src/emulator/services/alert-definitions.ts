/** The emulated alert definitions, and when each of them fired: as the incident in the reports has it. */
import type { World } from "../world.js";
import { definedFields, notFound, templateOf } from "./alert-templates.js";
import { incident } from "./report-series.js";

export const dayMs = 86_400_000;
export const iso = (ms: number): string => new Date(ms).toISOString().replace(".000Z", "Z");

/** A definition's fields, which hold at least these. */
export type Fields = Readonly<Record<string, unknown>> & { readonly templateId: string; readonly name: string };
export interface Definition {
  readonly definitionId: string;
  readonly origin: "STATIC" | "ADAPTIVE";
  readonly fields: Fields;
  readonly createdAtMs: number;
  readonly editedAtMs: number;
}
type Suppression = {
  readonly suppressionId: string;
  readonly start: string;
  readonly end: string;
};
interface State {
  readonly definitions: Map<string, Definition>;
  readonly suppressions: Map<string, Suppression[]>;
}

/** The definitions and suppressions; four definitions and one suppression from the start. */
export const state = (world: World): State =>
  world.state("alerts-v2", () => {
    const madeAtMs = Math.floor(world.now() / dayMs) * dayMs - 200 * dayMs;
    const define = (definitionId: string, templateId: string, name: string, own: object): [string, Definition] => [
      definitionId,
      {
        definitionId,
        origin: templateOf(templateId).origin,
        fields: definedFields({ definitionId, templateId, name, email: ["ops@shop.example"], ...own }) as Fields,
        createdAtMs: madeAtMs,
        editedAtMs: madeAtMs + 30 * dayMs,
      },
    ];
    const model = { deviations: 4, windowSize: 12, anomalyCount: 4 };
    return {
      definitions: new Map([
        define("s@1623", "s@7", "Origin failures in the shop", { aca_cpcode: ["12345"], param: 5 }),
        define("s@2071", "s@1", "High traffic on images", { aca_cpcode: ["67890"], param: 900 }),
        define("s@2072", "s@7", "Origin failures of the shop's API", { aca_cpcode: ["12346"], param: 5 }),
        define("a@cp_12345_77", "a@1", "Unusual traffic in the shop", {
          adaptivemetric: "hits_per_second",
          adaptivecpcode: "12345",
          adaptiveprofile: "17",
          aboveModel: model,
          belowModel: model,
        }),
      ]),
      suppressions: new Map([
        [
          "a@cp_12345_77",
          [{ suppressionId: "2747", start: iso(madeAtMs + 40 * dayMs), end: iso(madeAtMs + 41 * dayMs) }],
        ],
      ]),
    };
  });

/** A definition by its id; refuses an id that there is not. */
export function find(world: World, definitionId: string): Definition {
  const definition = state(world).definitions.get(definitionId);
  if (!definition) throw notFound();
  return definition;
}

export const link = (rel: string, path: string) => ({ rel, href: `/alerts/v2/${path}` });
export const links = (schema: string, self: string) => [
  link("describedBy", `json-schema/${schema}`),
  link("self", self),
];

/** A definition as the API shows it. */
export const shown = ({ definitionId, origin, fields, createdAtMs, editedAtMs }: Definition) => ({
  accountId: "A-CCT1234",
  definitionId,
  origin,
  fields,
  editInfo: {
    active: true,
    createdAt: iso(createdAtMs),
    createdBy: "mheld",
    editAt: iso(editedAtMs),
    editBy: "mheld",
  },
});
/** A definition by itself: with its contract and account. */
export const shownAlone = (definition: Definition) => ({
  ...shown(definition),
  templateId: definition.fields.templateId,
  contractId: "C-1FRYVV3",
  corpAccount: "Example Shops",
  cpCode: Number(cpCodesOf(definition)[0] ?? 0),
  domain: "",
  services: "all",
});

/** The CP codes that a definition watches. */
export const cpCodesOf = ({ fields }: Definition): readonly string[] =>
  Array.isArray(fields["aca_cpcode"])
    ? (fields["aca_cpcode"] as string[])
    : [fields["adaptivecpcode"]].filter((one) => typeof one === "string");

/** When a definition fired, oldest first: the shop in the incident, its API since a day ago and still, others never. */
export function firingsOf(world: World, definition: Definition) {
  const { definitionId, fields } = definition;
  const { start, end } = incident(world);
  const isOfOrigin = fields.templateId === "s@7" || definition.origin === "ADAPTIVE";
  const periods: (readonly [number, number | null])[] = [];
  if (isOfOrigin && cpCodesOf(definition).includes("12345") && world.now() > start + 300_000)
    periods.push([start + 300_000, world.now() > end + 600_000 ? end + 600_000 : null]);
  if (isOfOrigin && cpCodesOf(definition).includes("12346")) periods.push([start - dayMs, null]);
  return periods
    .sort(([a], [b]) => a - b)
    .map(([from, to]) => ({
      firingId: String(Math.floor(world.noise("firing", definitionId, from) * 1e7)),
      definitionId,
      name: fields.name,
      service: "Site delivery",
      startTime: iso(from),
      endTime: to === null ? null : iso(to),
      fieldMap: { cpCode: cpCodesOf(definition).join(", "), alertThreshold: String(fields["param"] ?? "") },
      links: links("alert-firings", `alert-definitions/${definitionId}/alert-firings`),
    }));
}
