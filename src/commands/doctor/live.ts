/**
 * One read of each API: what the credential may do, and which responses differ from what is declared. The report names tools,
 * statuses and places, no account, host or value, so that it can be attached to an issue.
 */
import type { Calls } from "../../calls/index.js";
import { apisOf, type Config } from "../../config.js";
import { type Catalogue, unlistedNames } from "../../engine/catalogue.js";
import { Failure } from "../../language/failure.js";
import { allServices } from "../../tools/index.js";
import { type DoctorFinding, pass, warning } from "./finding.js";
import { accessAfter, type Probe, probeOf, withSignedReads } from "./upstream.js";

/** The simplest read of each imported API that no declared service has: one that needs no arguments. */
function importedProbes(catalogue: Catalogue, declared: ReadonlySet<string>): readonly Probe[] {
  const all = unlistedNames(catalogue).names.flatMap((name) => catalogue.get(name)?.imported ?? []);
  const covered = all.filter(({ declaredBy = "" }) => declared.has(declaredBy.split(" ")[0] ?? ""));
  const done = new Set(covered.map(({ summary }) => summary.id));
  return all.flatMap(({ name, effect, route, summary, schema, facts }) => {
    if (effect !== "read" || route.includes("{") || done.has(summary.id)) return [];
    const { required = [] } = schema() as { readonly required?: readonly string[] };
    if (required.length > 0 || facts().compiled.refused !== undefined) return [];
    done.add(summary.id);
    return { title: summary.title, tool: name, args: {} };
  });
}

const meanings = {
  open: "the API answered, and refused the arguments of this read",
  refused: "no grant",
  gone: "the API is no longer offered",
  "not known": "not found: the object of the example, or the API",
} as const;

/**
 * What one read shows.
 * @param isFitting What to say of a response without differences: nothing of an imported operation, whose responses have no schema.
 */
async function findingOf(calls: Calls, { title, tool, args }: Probe, isFitting = ""): Promise<DoctorFinding> {
  const subject = "Live";
  try {
    const { status, notes } = await calls.invoke(tool, args);
    const differing = notes.filter((note) => /differs from its declared|has no body/.test(note));
    return differing.length === 0
      ? pass(subject, `${title}: ${tool} ${status}${isFitting}.`)
      : warning(subject, `${title}: ${tool} ${status}. ${differing.join(" ")}`, "Attach this report to an issue.");
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { status } = error.detail;
    const access = accessAfter(error);
    const what = `${title}: ${tool} ${status ?? error.code}, ${status === undefined ? "no response" : meanings[access]}.`;
    return access === "open" ? pass(subject, what) : warning(subject, what, nextAfter[access]);
  }
}

const nextAfter = {
  refused: "Add the grant to the API client if you need this API.",
  gone: "Start the server with --apis today, which leaves it out.",
  "not known": "If you use this API, call one of its tools with ids of your own.",
} as const;

/** The findings of one read of each API, declared or imported, in this order. */
export const liveFindings = (config: Config): Promise<readonly DoctorFinding[]> =>
  withSignedReads(config, async ({ calls }, { catalogue }) => {
    const nowMs = Date.now();
    const services = await allServices(apisOf(config).apis);
    const declared = services.flatMap((service) => probeOf(service, nowMs) ?? []);
    const imported = importedProbes(catalogue, new Set(services.map(({ name }) => name)));
    const findings: DoctorFinding[] = [];
    for (const probe of declared) findings.push(await findingOf(calls, probe, ", as declared"));
    for (const probe of imported) findings.push(await findingOf(calls, probe));
    // Many have the same next step, which is printed once.
    return findings.map(({ next, ...one }, at) =>
      next === undefined || findings.findIndex((other) => other.next === next) < at ? one : { ...one, next },
    );
  });
