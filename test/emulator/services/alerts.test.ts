/** The documents' rules for alerts v2, asked of the emulator in raw HTTP. */
import { expect, it, vi } from "vitest";
import { memberAt } from "../../../src/language/member.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

interface Listed {
  readonly data: readonly Record<string, unknown>[];
}
const { get, ask, send } = startRaw();
const list = async (target: string) => ((await get(`/alerts/v2/${target}`)).json() as Listed).data;
const fields = { templateId: "s@7", name: "Origin failures", definitionId: "", aca_cpcode: ["12345"], param: 5 };
const create = (more: object = {}) => send("POST", "/alerts/v2/alert-definitions", { fields: { ...fields, ...more } });
const adaptive = "/alerts/v2/alert-definitions/a%40cp_12345_77";

rule("alert-id-encoded", "knows templates and definitions by ids with an encoded at sign", async () => {
  expect((await get("/alerts/v2/alert-templates/s%407")).json()).toMatchObject({ templateId: "s@7", origin: "STATIC" });
  expect((await get("/alerts/v2/alert-definitions/s%401623")).json()).toMatchObject({ definitionId: "s@1623" });
  expect((await get("/alerts/v2/alert-templates/s%4099")).status).toBe(404);
  expect((await get("/alerts/v2/json-schema/alert-definition/s%407")).status).toBe(200);
});

rule("alert-origin-prefix", "tells static from adaptive by the beginning of the id", async () => {
  const listed = [...(await list("alert-templates/")), ...(await list("alert-definitions"))];
  expect(new Set(listed.map(({ origin }) => origin))).toEqual(new Set(["STATIC", "ADAPTIVE"]));
  for (const { templateId, definitionId, origin } of listed)
    expect([origin, String(definitionId ?? templateId).slice(0, 2)]).toEqual([
      origin,
      origin === "STATIC" ? "s@" : "a@",
    ]);
});

rule("alert-template-fields", "an alert definition takes only fields and values of its template", async () => {
  const made = await create();
  expect(made.status).toBe(201);
  expect(made.json()).toMatchObject({ origin: "STATIC", fields: { param: 5, network: "both", isSum: true } });
  for (const bad of [
    ...[{ param: 0.5 }, { param: 101 }, { param: "5" }, { param: 5.123 }, { alertLowerBound: 1.5 }, { isSum: 1 }],
    ...[{ email: "a@b.example" }, { aca_cpcode: ["99999"] }, { network: "elsewhere" }, { nonsense: 1 }],
    ...[{ group: "11111" }, { templateId: "a@1" }],
  ])
    expect([bad, (await create(bad)).status]).toEqual([bad, 400]);
  expect((await create({ templateId: "s@99" })).status).toBe(404);
  expect((await create({ group: ["11111"] })).json()).toMatchObject({ fields: { group: ["11111"] } });
  // The bounds of a field belong to it.
  for (const param of [1, 2.25, 5.1, 99.99, 100])
    expect([param, (await create({ param })).status]).toEqual([param, 201]);
});

rule("alert-adaptive-thresholds", "an adaptive threshold has three parts, and an alert fires by them", async () => {
  const models = (await list("alert-definitions")).flatMap(({ origin, fields: of }) =>
    origin === "ADAPTIVE" ? [of as Record<"aboveModel" | "belowModel", object>] : [],
  );
  expect(models.length).toBeGreaterThan(0);
  for (const { aboveModel, belowModel } of models)
    for (const model of [aboveModel, belowModel].filter((one) => one !== undefined))
      expect(Object.keys(model).sort()).toEqual(["anomalyCount", "deviations", "windowSize"]);
});

rule("alert-list-data", "alert lists are in data; definitions are found by value or id", async () => {
  for (const target of ["alert-templates/", "alert-summaries", "access-control-data?type=network"])
    expect([target, Array.isArray(await list(target))]).toEqual([target, true]);
  const ids = async (query: string) => (await list(`alert-definitions?${query}`)).map((one) => one["definitionId"]);
  expect(await ids("fieldName=aca_cpcode&fieldValue=67890")).toEqual(["s@2071"]);
  expect(await ids("ids=s%402071&ids=s%402072")).toEqual(["s@2071", "s@2072"]);
  expect(await ids("fieldName=adaptivemetric")).toEqual(["a@cp_12345_77"]);
  expect(await ids("fieldName=adaptivemetric&fieldValue=undefined")).toEqual([]);
  expect(await ids("fieldName=nonsense&fieldValue=undefined")).toEqual([]);
  expect(await ids("fieldValue=undefined")).toEqual([]);
  expect(await ids("fieldValue=67890")).toEqual(["s@2071"]);
});

rule("alert-active-no-end", "the failing API's firing has no end, and its summary says so", async () => {
  const firings = await list("alert-firings/active");
  expect(firings.map((one) => [one["definitionId"], one["endTime"]])).toEqual([["s@2072", null]]);
  const summaries = await list("alert-summaries");
  expect(summaries.filter((one) => one["firingNow"]).map((one) => one["definitionId"])).toEqual(["s@2072"]);
  expect((await get("/alerts/v2/alert-summaries/s%402072/details")).json()).toMatchObject({
    alerts: [{ endTime: null }],
    sparkline: null,
  });
});

rule("alert-adaptive-only", "has suppressions and activities of only adaptive definitions", async () => {
  for (const part of ["activities", "suppressions"]) {
    expect((await get(`${adaptive}/${part}`)).status).toBe(200);
    // The declaration takes no static id here, and the emulator refuses it as the API does.
    expect((await get(`/alerts/v2/alert-definitions/s%401623/${part}`)).status).toBe(400);
  }
});

rule("alert-suppression-query", "takes a suppression's period in the query, without a body", async () => {
  const period = "start=2026-05-18T00:00:00Z&end=2026-05-18T06:00:00Z";
  const made = await ask({ method: "POST", target: `${adaptive}/suppressions?${period}` });
  expect(made.json()).toMatchObject({ start: "2026-05-18T00:00:00Z", end: "2026-05-18T06:00:00Z" });
  expect((await send("POST", `${adaptive}/suppressions?${period}`, {})).status).toBe(400);
  expect((await ask({ method: "POST", target: `${adaptive}/suppressions?start=2026-05-18` })).status).toBe(400);
  const backwards = `${adaptive}/suppressions?start=2026-05-18&end=2026-05-17`;
  expect((await ask({ method: "POST", target: backwards })).status).toBe(400);
});

it("reads a time without a zone as UTC, wherever the emulator runs", async () => {
  vi.stubEnv("TZ", "America/New_York");
  const query = "start=2026-05-18T01:00:00&end=2026-05-18T02:00:00Z";
  const { status } = await ask({ method: "POST", target: `${adaptive}/suppressions?${query}` });
  vi.unstubAllEnvs();
  expect(status).toBe(201);
});

it("refuses a definition without a selection that its template needs", async () => {
  const created = (fields: object) => send("POST", "/alerts/v2/alert-definitions", { fields });
  for (const [given, missing] of [
    [{ name: "n", templateId: "s@7" }, "aca_cpcode"],
    [{ name: "n", templateId: "s@7", aca_cpcode: [] }, "aca_cpcode"],
    [{ name: "n", templateId: "a@1", adaptivemetric: "mbps_to_user" }, "adaptivecpcode"],
    [{ name: "n", templateId: "a@1", adaptivecpcode: "12345" }, "adaptivemetric"],
  ] as const) {
    const answer = await created(given);
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(missing)]);
  }
});

rule("alert-statuses", "answers 201, 204, 204 and 200, and what is gone is gone", async () => {
  const { definitionId, origin } = (await create()).json() as Record<string, string>;
  const target = `/alerts/v2/alert-definitions/${encodeURIComponent(definitionId ?? "")}`;
  const replaced = { definitionId, origin, fields: { ...fields, definitionId, param: 9 } };
  expect((await send("PUT", target, replaced)).status).toBe(204);
  expect((await get(target)).json()).toMatchObject({ fields: { param: 9 } });
  expect((await send("PUT", target, { ...replaced, definitionId: "s@1623" })).status).toBe(400);
  // What is static cannot become adaptive, nor be created as it.
  expect((await send("PUT", target, { ...replaced, origin: "ADAPTIVE" })).status).toBe(400);
  expect((await send("POST", "/alerts/v2/alert-definitions", { origin: "ADAPTIVE", fields })).status).toBe(400);
  expect((await ask({ method: "DELETE", target })).status).toBe(204);
  expect((await get(target)).status).toBe(404);
  // A replacement has no 404 (public facts A, 6).
  expect((await send("PUT", target, replaced)).json()).toMatchObject({ status: 400, detail: "Not a valid alert Id" });
  const [first] = await list("alert-definitions/a%40cp_12345_77/suppressions");
  const suppression = `${adaptive}/suppressions/${String(first?.["suppressionId"])}`;
  expect((await ask({ method: "DELETE", target: suppression })).status).toBe(200);
  expect((await ask({ method: "DELETE", target: suppression })).status).toBe(404);
});

rule("alert-sparkline-duration", "a sparkline covers a week by default, and at most thirty days", async () => {
  const spark = async (query: string) =>
    (await list(`sparklines?definitionIds=${query}`))[0] as { points: { x: string }[] };
  const days = ({ points }: { points: { x: string }[] }) =>
    Math.round((now - Date.parse(points[0]?.x ?? "")) / 86_400_000);
  expect((await spark("s%401623")).points).toHaveLength(100);
  expect(days(await spark("s%401623"))).toBe(7);
  expect(days(await spark("s%401623&duration=P30D"))).toBe(30);
  expect((await spark("s%401623&duration=PT2H&points=0")).points).toHaveLength(24);
  // Of an adaptive definition up to 7 days are 7, and more are 30 (public facts A, 6).
  for (const [duration, covered] of Object.entries({ PT2H: 7, P7D: 7, P8D: 30, P30D: 30 }))
    expect([duration, days(await spark(`a%40cp_12345_77&duration=${duration}`))]).toEqual([duration, covered]);
  for (const points of [29, 58, 113, 231])
    expect((await spark(`s%401623&duration=P30D&points=${points}`)).points).toHaveLength(points);
  expect(days(await spark("s%401623&duration=P2W"))).toBe(14);
  expect((await spark("s%401623&duration=PT600S&points=0")).points).toHaveLength(2);
  for (const duration of ["P31D", "P5W", "P30DT1S", "P0D", "P1DT", "7D"])
    expect((await get(`/alerts/v2/sparklines?definitionIds=s%401623&duration=${duration}`)).status).toBe(400);
  // A model has estimates; fixed criteria have none.
  expect((await spark("a%40cp_12345_77&inclRange=true&points=2")).points[0]).toHaveProperty("high");
  expect((await spark("a%40cp_12345_77&points=2")).points[0]).not.toHaveProperty("high");
  for (const point of (await spark("s%401623&inclRange=true&points=2")).points)
    expect(Object.keys(point).sort()).toEqual(["x", "y"]);
});

rule("alert-schema-draft-4", "publishes six schemas of draft 4 in their own media type", async () => {
  const names = "template-header template definition/s%407 firings summaries details";
  for (const name of names.split(" ").map((one) => `alert-${one}`)) {
    const answer = await get(`/alerts/v2/json-schema/${name}`);
    expect([name, answer.status, answer.headers["content-type"]]).toEqual([name, 200, "application/schema+json"]);
    expect(answer.json()).toMatchObject({ $schema: "http://json-schema.org/draft-04/schema#" });
  }
  // An alert that never fired has a summary, too.
  const summaries = (await get("/alerts/v2/json-schema/alert-summaries")).json();
  expect(memberAt(summaries, "items.properties.lastTriggered.type")).toContain("null");
  const definition = (await get("/alerts/v2/json-schema/alert-definition/s%407")).json();
  const param = { type: "number", minimum: 1, maximum: 100 };
  expect(memberAt(definition, "properties.fields.properties")).toMatchObject({ param });
});

rule("alert-redirect", "names the console's page in Location", async () => {
  const { status, headers } = await get("/alerts/redirect");
  expect([status, headers["location"]]).toEqual([302, "/app/alerts/#/"]);
});

it("a definition has its contract, and its details link to the summary", async () => {
  const more = { templateId: "s@7", contractId: "C-1FRYVV3", cpCode: 12345, services: "all" };
  expect((await get("/alerts/v2/alert-definitions/s%401623")).json()).toMatchObject(more);
  const details = (await get("/alerts/v2/alert-summaries/s%401623/details")).json() as { links: { rel: string }[] };
  expect(details).toMatchObject({ definition: more });
  expect(details.links.map(({ rel }) => rel)).toEqual(["describedBy", "self", "summary"]);
});
