/** Questions about hostnames of accounts of ten and of a thousand sites: each answer is the truth of the emulated world. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { workflowResult } from "../../src/answers/result.js";
import { estimateTokens } from "../../src/answers/tokens.js";
import { includesIn } from "../../src/emulator/services/includes/world.js";
import { type StoredPropertyVersion, stateOf } from "../../src/emulator/services/properties/world.js";
import { memberAt } from "../../src/language/member.js";
import { apis } from "../lab/project.js";
import { askIn, type Card } from "./asked.js";
import type { Site } from "./grown.js";

let ends: () => Promise<void>;
afterEach(async () => {
  await ends();
  vi.useRealTimers();
});

const day = (ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 10);
const version = ({ property }: Site, number: number | null) => property.versions.find((one) => one.number === number);
const activated = ({ property }: Site, network: string) =>
  property.activations.find((one) => one.network === network)?.submittedAtMs;
const at = (path: string) => (card: Card) => memberAt(card, path) ?? null;

/** Each question with where the card answers it, and with the truth. */
const questions: readonly (readonly [
  question: string,
  answer: (card: Card) => unknown,
  truth: (site: Site) => unknown,
])[] = [
  ["Which property serves it?", at("property.propertyId"), ({ property }) => property.id],
  ["What is its property called?", at("property.propertyName"), ({ property }) => property.name],
  ["Whose group is it in?", at("property.groupId"), ({ property }) => property.groupId],
  ["Which contract pays for it?", at("property.contractId"), ({ property }) => property.contractId],
  ["Which version is live?", at("production.version"), ({ production }) => production],
  ["Which version is on staging?", at("staging.version"), ({ staging }) => staging],
  ["Which version is the newest?", at("latest.version"), ({ property }) => property.versions.length],
  ["Who changed it last?", at("latest.by"), ({ property }) => property.versions.at(-1)?.updatedBy],
  ["When was it changed last?", at("latest.at"), ({ property }) => day(property.versions.at(-1)?.updatedAtMs)],
  ["What was changed last?", at("latest.note"), ({ property }) => property.versions.at(-1)?.note],
  ["Who wrote what is live?", at("production.by"), (site) => version(site, site.production)?.updatedBy ?? null],
  ["Since when is it live?", at("production.since"), (site) => day(activated(site, "PRODUCTION")) ?? null],
  ["Since when is it on staging?", at("staging.since"), (site) => day(activated(site, "STAGING"))],
  ["Is an activation under way?", at("lastActivation.status"), () => null],
  ["To which edge hostname does it lead?", at("edgeHostname.name"), ({ edgeHostname }) => edgeHostname],
  ["Is its edge hostname for TLS?", at("edgeHostname.secure"), ({ isSecure }) => isSecure],
  ["Which certificate names it?", at("certificates.0.enrollmentId"), ({ enrollmentId }) => enrollmentId],
  [
    "When does its certificate end?",
    at("certificates.0.expires"),
    ({ expiresAtMs }) => new Date(expiresAtMs).toISOString().replace(".000", ""),
  ],
  ["In which slot is its certificate?", at("certificates.0.slot"), ({ slot }) => slot],
  ["Which zone is it in?", at("dns.zone"), ({ zone }) => zone],
  [
    "What kind of record does it have?",
    at("dns.records.0"),
    ({ zone }) => `CNAME ${300 + Number(/\d+/.exec(zone)?.[0])} edgeHostname`,
  ],
  ["Does its record lead to the edge?", at("dns.leadsToEdge"), () => true],
  [
    "Where is its origin?",
    at("rules.origins.0"),
    ({ production, origin, originOnStaging = origin }) => (production === null ? originOnStaging : origin),
  ],
  [
    "Has it another origin on staging?",
    at("rulesOnStaging.origins.0"),
    ({ production, originOnStaging }) => (production === null ? null : (originOnStaging ?? null)),
  ],
  ["Under which CP code is it counted?", at("rules.cpCodes.0"), ({ cpCode: id, cpCodeName: name }) => ({ id, name })],
  ["Which include has it?", at("rules.includes.0.id"), ({ include }) => include],
  [
    "Which policies does it use?",
    (card) => memberAt(card, "policies.production") ?? card["policies"],
    ({ policies }) => policies,
  ],
  [
    "What share of its requests fails now?",
    at("errorsNow.edgeFailurePercentage"),
    ({ production }) => (production === null ? null : 0),
  ],
];

describe.each([10, 1_000])("in an account of %i sites", (count) => {
  it("all questions are answered right, in few requests and tokens", async () => {
    const { card, sites, looked, world, end } = askIn(count);
    ends = end;
    expect(questions.length).toBeGreaterThanOrEqual(20);
    for (const part of [0.07, 0.35, 0.62, 0.99]) {
      const site = sites[Math.floor(part * count)] as Site;
      looked();
      const answer = await card({ hostname: site.hostname.toUpperCase() });
      expect(looked().length).toBeLessThanOrEqual(30);
      expect(questions.map(([question, find]) => [question, find(answer)])).toEqual(
        questions.map(([question, , truth]) => [question, truth(site)]),
      );
      const include = includesIn(world).get(site.include)?.name;
      expect(memberAt(answer, "rules.includes.0.name")).toBe(apis === "today" ? include : undefined);
      // Statistics are of what production serves.
      const unknown = [...(apis === "today" ? [] : ["includes"]), ...(site.production === null ? ["errors"] : [])];
      expect(Object.keys(answer["unknown"] as object).sort()).toEqual(["security", ...unknown].sort());
      const { content } = workflowResult(answer, { upstream: "host.example", secrets: [], maxTokens: 8_000 });
      const text = content.map((one) => (one.type === "text" ? one.text : "")).join("\n");
      expect(estimateTokens(text)).toBeLessThanOrEqual(500);
    }
  });
});

it("a name that only a wildcard stands for leads to the property of that", async () => {
  const { card, sites, world, end } = askIn(10);
  ends = end;
  const [{ property, zone, origin }] = sites as readonly [Site];
  const wildcard = (one: StoredPropertyVersion) => ({
    ...one,
    hostnames: one.hostnames.map((entry) => ({ ...entry, cnameFrom: `*.${zone}` })),
  });
  stateOf(world).properties.set(property.id, { ...property, versions: property.versions.map(wildcard) });
  const answer = await card({ hostname: `new.${zone}` });
  expect(answer).toMatchObject({ property: { propertyId: property.id }, rules: { origins: [origin] }, dns: { zone } });
  expect(memberAt(answer, "production.version")).toBe(1);
});

it("of several properties the one on production is shown, others named", async () => {
  const { card, sites, world, end } = askIn(10);
  ends = end;
  const [first, second] = sites as readonly [Site, Site];
  const [entry] = first.property.versions[0]?.hostnames ?? [];
  if (!entry) throw new Error("There is no hostname.");
  const { id, versions } = second.property;
  const withBoth = versions.map((one) => (one.number === second.staging ? { ...one, hostnames: [entry] } : one));
  stateOf(world).properties.set(id, { ...second.property, versions: withBoth });
  expect(await card({ hostname: first.hostname })).toMatchObject({
    property: { propertyId: first.property.id },
    alsoIn: [{ propertyId: id, propertyName: second.property.name }],
  });
});
