/** Forecasts of changes: which function forecasts which change, and what is forecast of several that are made together. */
import type { ChangeScope, Forecast } from "../language/forecast.js";
import type { SiteReads } from "./reads.js";

/** Forecasts a change. */
async function forecastChange(scope: ChangeScope, reads: SiteReads): Promise<Forecast> {
  switch (scope.change) {
    case "purge":
      return (await import("./purge.js")).forecastPurge(scope, reads);
    case "records":
      return (await import("./records.js")).forecastRecords(scope, reads);
    case "activation":
      return (await import("./activation.js")).forecastActivation(scope, reads);
    case "certificate":
      return (await import("./certificate.js")).forecastCertificate(scope, reads);
  }
}

/** Two changes as one, if they are of the same kind and place. */
function merged(one: ChangeScope, other: ChangeScope): ChangeScope | undefined {
  if (one.change === "purge" && other.change === "purge") {
    const isSame = one.network === other.network && one.objects.kind === other.objects.kind;
    const values = [...new Set([...one.objects.values, ...other.objects.values])];
    const isDeletion = one.isDeletion || other.isDeletion;
    return isSame ? { ...one, isDeletion, objects: { ...one.objects, values } } : undefined;
  }
  return one.change === "records" && other.change === "records" && one.zone === other.zone
    ? { ...one, sets: [...one.sets, ...other.sets] }
    : undefined;
}

const breadths = { url: 0, cpcode: 1, tag: 2 } as const;

/** How grave a change is beside others: first by its network, then by how much it ends or empties. */
function gravityOf(scope: ChangeScope): readonly number[] {
  const onProduction = !("network" in scope) || scope.network === "production" ? 1 : 0;
  switch (scope.change) {
    case "purge":
      return [onProduction, breadths[scope.objects.kind], scope.objects.values.length];
    case "records":
      return [onProduction, 0, scope.sets.length];
    case "activation":
      return [onProduction, scope.isEnd ? 1 : 0];
    case "certificate":
      return [onProduction];
  }
}

/** Compares the gravest first. */
function byGravity(one: ChangeScope, other: ChangeScope): number {
  const others = gravityOf(other);
  return gravityOf(one).reduce((found, value, at) => found || (others[at] ?? 0) - value, 0);
}

/**
 * Forecasts what calls do that are approved together: those that are one change in effect, such as purges on a network. Of
 * several such changes it is the gravest, and the calls of the others are counted.
 * @returns undefined if nothing is known to forecast.
 */
export async function forecastOf(scopes: readonly ChangeScope[], reads: SiteReads): Promise<Forecast | undefined> {
  const changes: { scope: ChangeScope; count: number }[] = [];
  for (const scope of scopes) {
    const found = changes.find((one) => merged(one.scope, scope));
    if (found === undefined) changes.push({ scope, count: 1 });
    else Object.assign(found, { scope: merged(found.scope, scope), count: found.count + 1 });
  }
  const [gravest] = changes.sort((one, other) => byGravity(one.scope, other.scope));
  if (gravest === undefined) return undefined;
  const leftOut = scopes.length - gravest.count;
  const forecast = await forecastChange(gravest.scope, reads);
  return leftOut > 0 ? { ...forecast, leftOut } : forecast;
}
