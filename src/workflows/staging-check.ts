/** What staging answers for a version's hostnames, asked of diagnostics at the edge servers that their staging names lead to. */
import { shown } from "../api/failure.js";
import { z } from "../api/z.js";
import type { WorkflowContext } from "../calls/workflow.js";
import { locationId } from "../tools/diagnostics/shapes.js";
import type { Hostnames } from "../tools/properties/shapes.js";
import { startSteps } from "./steps.js";

// What the check needs of each answer.
const Locations = z.looseObject({ locations: z.array(z.looseObject({ id: locationId })).min(1) });
const Dig = z.looseObject({
  digInfo: z.looseObject({ answerSection: z.array(z.looseObject({ recordType: z.string(), value: z.string() })) }),
});
const Debug = z.looseObject({
  urlDebug: z.looseObject({
    httpResponse: z.array(z.looseObject({ name: z.string(), value: z.string() })),
    logs: z.array(z.looseObject({ fields: z.record(z.string(), z.unknown()) })).catch([]),
  }),
});

/** More hostnames than these are named and not tried: diagnostics take some seconds each, and are limited a minute. */
const maxTried = 3;

/** The name that leads to staging: the zone of the edge hostname with `-staging` (edgesuite.net, edgesuite-staging.net). */
function stagingNameOf(edgeHostname: string | undefined): string | undefined {
  const [, name, zone, top] = /^(.+)\.([\w-]+)\.(\w+)\.?$/.exec(edgeHostname ?? "") ?? [];
  if (name === undefined || zone === undefined || zone.endsWith("-staging")) return undefined;
  return `${name}.${zone}-staging.${top}`;
}

/** What one edge server answered, in words: the members of the response, the CP code, and whether it is an error. */
function seen({ urlDebug: { httpResponse, logs } }: z.output<typeof Debug>) {
  const members = httpResponse.map(({ name, value }) => `${shown(name)}: ${shown(value)}`);
  const code = logs.map(({ fields }) => fields["CP code"]).find((value) => value !== undefined && value !== "-");
  const isError = httpResponse.some(({ name, value }) => /code|status/i.test(name) && /^[45]\d\d$/.test(value));
  return { words: [...members, ...(code === undefined ? [] : [`CP code ${shown(code)}`])].join(", "), isError };
}

/**
 * Tries the first hostnames of a version on staging.
 * @returns What was seen, and what speaks against production: an error that staging answers, or that nothing was seen.
 */
export async function triedOnStaging(
  entries: z.output<typeof Hostnames>["hostnames"]["items"],
  context: Pick<WorkflowContext, "invoke" | "progress">,
): Promise<{ readonly notes: readonly string[]; readonly warnings: readonly string[] }> {
  const steps = startSteps(context);
  const notes: string[] = [];
  const warnings: string[] = [];
  const found = entries.flatMap(({ cnameFrom, cnameTo }) => {
    const staging = stagingNameOf(cnameTo);
    return staging === undefined || cnameFrom.startsWith("*") ? [] : [{ host: cnameFrom, staging }];
  });
  const tried = found.slice(0, maxTried);
  if (tried.length < entries.length)
    notes.push(
      `Of ${entries.length} hostnames, ${tried.length} ${tried.length === 1 ? "is" : "are"} tried on staging.`,
    );
  if (tried.length === 0) return { notes, warnings: ["No hostname of it could be tried on staging."] };
  const list = await steps.call("choose a location", "diag_locations_list", {}, Locations);
  const from = list?.locations[0]?.id;
  const tries = tried.map(async ({ host, staging }) => {
    const dig =
      from === undefined
        ? undefined
        : await steps.call(staging, "diag_location_dig_run", { locationId: from, hostName: staging }, Dig);
    if (dig === undefined) return;
    const edgeIp = dig.digInfo.answerSection.find(({ recordType }) => /^A(AAA)?$/.test(recordType))?.value;
    if (edgeIp === undefined) return void warnings.push(`${shown(staging)}, which leads to staging, has no address.`);
    const url = `http://${host}/`;
    const debug = await steps.call(url, "diag_url_debug_get", { url, edgeIp }, Debug);
    if (debug === undefined) return;
    const { words, isError } = seen(debug);
    const line = `On staging (${edgeIp}), ${shown(url)} was answered with ${words}.`;
    (isError ? warnings : notes).push(line);
  });
  await Promise.all(tries);
  for (const { step, tool, why } of steps.record.filter(({ outcome }) => outcome !== "done"))
    warnings.push(`The check on staging is incomplete: ${tool} (${step}) failed: ${why ?? "no reason was given"}`);
  return { notes, warnings };
}
