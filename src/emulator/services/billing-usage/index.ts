/** Billing usage: one value per day and statistic, summed from the account's traffic, and final after three days. */
import { dayMs } from "../../../time/durations.js";
import { billingUsage as declared } from "../../../tools/billing-usage/index.js";
import type { Call } from "../../behaviour.js";
import { type ErrorFormat, ok, RequestRefusal } from "../../reply.js";
import { emulateService } from "../../service.js";
import type { World } from "../../world.js";
import { contracts } from "../account.js";
import { groupsOf, isWithin } from "../groups.js";
import { currentCpCodes } from "../properties/served.js";
import { bytesPerHit, hitsByCode } from "../reporting/series.js";

type Operations = (typeof declared)["operations"];
type Months = Call<Operations["usage_contract_statistics_list"]>["query"];
type Measured = Call<Operations["usage_contract_measures_list"]>["query"];

const finalAfterDays = 3;
const statistics: readonly { readonly name: string; readonly unit: string; of(code: string, hits: number): number }[] =
  [
    { name: "Bytes Delivered", unit: "GB", of: (code, hits) => (hits * bytesPerHit(code)) / 1e9 },
    { name: "Requests", unit: "millions", of: (_, hits) => hits / 1e6 },
  ];
const refusal = (status: number, title: string, detail: string, field: string, value: unknown): RequestRefusal =>
  new RequestRefusal(status, title, detail, { field, value });

/** The billing service's own error format (public facts A, 0.2). */
const errorFormat: ErrorFormat = ({ title, detail, extras: { field = null, value = null } }, _, world) => {
  const code = `billing.${title.toLowerCase().replaceAll(" ", ".")}`;
  const incidentId = `i-${world.next("billing incident", 1_000)}`;
  const details = [{ code, message: detail, field, data: { field, value } }];
  return { body: { code, title, incidentId, details, resolution: null, helpUrl: null }, type: "application/json" };
};

/** The first instants of the requested months; the current month by default. */
function monthsOf(world: World, query: Months): number[] {
  const groups = [
    [query.month, query.year],
    [query.fromMonth, query.fromYear, query.toMonth, query.toYear],
  ];
  const used = groups.filter((group) => group.some((value) => value !== undefined));
  if (used.length > 1) throw refusal(400, "Period ambiguous", "Two forms of a period", "month", query.month);
  if (used.some((group) => group.includes(undefined)))
    throw refusal(400, "Period incomplete", "A form of the period is used in part", "month", query.month);
  const today = new Date(world.now());
  const at = (year: number | undefined, month: number | undefined) =>
    Date.UTC(year ?? today.getUTCFullYear(), (month ?? today.getUTCMonth() + 1) - 1, 1);
  const first = query.fromMonth === undefined ? at(query.year, query.month) : at(query.fromYear, query.fromMonth);
  const last = query.toMonth === undefined ? first : at(query.toYear, query.toMonth);
  if (last < first) throw refusal(400, "Period invalid", "The period ends before it begins", "toMonth", query.toMonth);
  const months: number[] = [];
  for (let start = first; start <= last; start = nextMonth(start)) months.push(start);
  return months;
}

function nextMonth(start: number): number {
  const date = new Date(start);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The CP codes whose traffic counts towards a product of an owner, which is a contract or a reporting group. */
function measuredCpCodes(world: World, owner: string, productId: string): readonly string[] {
  const isContract = contracts.some(({ id }) => id === owner);
  const contractIds = isContract ? [owner] : groupsOf(world).find(({ id }) => String(id) === owner)?.contractIds;
  if (contractIds === undefined) throw refusal(403, "Forbidden", "Not one of this client's", "id", owner);
  const contractProducts = contracts.filter(({ id }) => contractIds.includes(id)).flatMap(({ products }) => products);
  if (!contractProducts.some(({ id }) => id === productId))
    throw refusal(404, "Product unknown", "There is no such product", "productId", productId);
  return currentCpCodes(world)
    .filter((one) => contractIds.includes(one.contractId) && one.product.id === productId)
    .filter(({ groupId }) => isContract || isWithin(world, groupId, Number(owner)))
    .map(({ id }) => id);
}

type Counted = readonly (readonly [code: string, hits: number])[];

/** The hits on some CP codes in a period, by response code. */
const countedIn = (world: World, ids: readonly string[], from: number, to: number): Counted =>
  ids.flatMap((id) => Object.entries(hitsByCode(world, id, from, to)));

const total = (counted: Counted, { of }: (typeof statistics)[number]): number =>
  Math.round(counted.reduce((sum, [code, hits]) => sum + of(code, hits), 0) * 100) / 100;

function usage(world: World, owner: string, productId: string, query: Measured) {
  const ids = measuredCpCodes(world, owner, productId);
  const selection = statistics.filter(({ name }) => query.statisticName === undefined || name === query.statisticName);
  if (selection.length === 0)
    throw refusal(400, "Statistic unknown", "There is no such statistic", "statisticName", query.statisticName);
  const today = Math.floor(world.now() / dayMs) * dayMs;
  return monthsOf(world, query).flatMap((start) => {
    const countedByDay = new Map<number, Counted>();
    for (let day = start; day < Math.min(nextMonth(start), today + dayMs); day += dayMs)
      countedByDay.set(day, countedIn(world, ids, day, Math.min(day + dayMs, world.now())));
    return selection.flatMap((statistic) => {
      const { name, unit } = statistic;
      const days = [...countedByDay].map(([day, counted]) => ({
        date: new Date(day).toISOString().slice(0, 10),
        value: total(counted, statistic),
        final: day < today - finalAfterDays * dayMs,
        statistic: { name, unit },
      }));
      const last = days.at(-1);
      if (query.billingDayOnly !== true || !last) return days;
      const whole = countedIn(world, ids, start, Math.min(nextMonth(start), world.now()));
      return [{ ...last, value: total(whole, statistic) }];
    });
  });
}

function named(world: World, owner: string, productId: string, query: Months) {
  measuredCpCodes(world, owner, productId);
  monthsOf(world, query);
  return statistics.map(({ name, unit }) => ({ name, unit }));
}

export const billingUsage = emulateService(declared, errorFormat, {
  usage_contract_measures_list: ({ path, query }, world) => ok(usage(world, path.contractId, path.productId, query)),
  usage_contract_statistics_list: ({ path, query }, world) => ok(named(world, path.contractId, path.productId, query)),
  usage_group_measures_list: ({ path, query }, world) => ok(usage(world, path.reportingGroupId, path.productId, query)),
  usage_group_statistics_list: ({ path, query }, world) =>
    ok(named(world, path.reportingGroupId, path.productId, query)),
  usage_measure_find: ({ body }, world) => {
    const { contractId, productId, month, year } = body as Readonly<Record<string, unknown>>;
    const period = { ...(typeof month === "number" ? { month } : {}), ...(typeof year === "number" ? { year } : {}) };
    return ok(usage(world, String(contractId), String(productId), period));
  },
});
