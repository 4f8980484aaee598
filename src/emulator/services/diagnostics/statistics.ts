/** Error statistics of a CP code, from the traffic of the reports. */
import type { World } from "../../world.js";
import { type EdgeLocation, locations } from "../account.js";
import { currentCpCodes } from "../properties/served.js";
import { originHitsByCode } from "../reporting/ledger.js";
import { hitsByCode } from "../reporting/series.js";
import { originFailure, refusal } from "./world.js";

const wholePercent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;

export function statistics(world: World, cpCode: string) {
  // The hits of the last five minutes.
  const [from, to] = [world.now() - 300_000, world.now()];
  const rounded = (byCode: Readonly<Record<string, number>>) =>
    Object.entries(byCode).map(([code, hits]) => [Number(code), Math.round(hits)] as const);
  const atEdge = rounded(hitsByCode(world, cpCode, from, to));
  const ofOrigin = originHitsByCode(world, cpCode, from, to);
  const atOrigin = rounded(Object.fromEntries(atEdge.map(([code]) => [code, ofOrigin[code] ?? 0])));
  const sum = (list: typeof atEdge) => list.reduce((total, [, hits]) => total + hits, 0);
  const errors = (list: typeof atEdge) => list.filter(([code]) => code >= 400);
  const distribution = (list: typeof atEdge) =>
    list.map(([httpStatus, hits]) => ({ httpStatus, hits, percentage: wholePercent(hits, sum(list)) }));
  const top = (list: typeof atEdge, logType: string) =>
    list.slice(0, 3).map(([httpStatus, hits], index) => {
      const { edgeIp, region } = locations[index] as EdgeLocation;
      return {
        edgeIp,
        region,
        httpStatus,
        hits: Math.ceil(hits / locations.length),
        objStatus: httpStatus < 400 ? "o" : "f",
        errorCode: httpStatus === originFailure.status ? "113:CONNECT_FAIL" : "0:None",
        edgeLogsLink: `/diagnostic-tools/v2/ip-addresses/${edgeIp}/log-lines?cpCode=${cpCode}&httpStatusCode=${httpStatus}&logType=${logType}`,
      };
    });
  const ok = (list: typeof atEdge) => list.filter(([code]) => code < 400);
  return {
    cpCode: Number(cpCode),
    edgeErrors: sum(errors(atEdge)),
    edgeHits: sum(atEdge),
    edgeFailurePercentage: wholePercent(sum(errors(atEdge)), sum(atEdge)),
    edgeStatusCodeDistribution: distribution(atEdge),
    originErrors: sum(errors(atOrigin)),
    originHits: sum(atOrigin),
    originFailurePercentage: wholePercent(sum(errors(atOrigin)), sum(atOrigin)),
    originStatusCodeDistribution: distribution(atOrigin),
    topEdgeIpsWithError: top(errors(atEdge), "r"),
    topEdgeIpsWithSuccess: top(ok(atEdge), "r"),
    topEdgeIpsWithErrorFromOrigin: top(errors(atOrigin), "f"),
    topEdgeIpsWithSuccessFromOrigin: top(ok(atOrigin), "f"),
  };
}

/** A CP code of the account, which need not have traffic. */
export function ownCpCode(world: World, cpCode: number): string {
  const id = String(cpCode);
  if (!currentCpCodes(world).some((one) => one.id === id))
    throw refusal(404, `There is no CP code ${cpCode}`, "cpCode");
  return id;
}
