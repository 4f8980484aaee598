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

/**
 * Forecasts what calls do that are approved together: those that are one change in effect, such as purges on a network. The
 * others are counted.
 * @returns undefined if nothing is known to forecast.
 */
export async function forecastOf(
  [first, ...others]: readonly ChangeScope[],
  reads: SiteReads,
): Promise<Forecast | undefined> {
  if (first === undefined) return undefined;
  let scope = first;
  let leftOut = 0;
  for (const other of others) {
    const both = merged(scope, other);
    if (both === undefined) leftOut += 1;
    else scope = both;
  }
  const forecast = await forecastChange(scope, reads);
  return forecast && leftOut > 0 ? { ...forecast, leftOut } : forecast;
}
