/** Tasks about names, properties, purges, streams, people and events. */
import { asAggregate, largestOf, rowsAt, type Task, toMinute } from "./task.js";

const property = { propertyId: "prp_175780" };
const reportPack = { family: "audience-analytics", reportPackId: 6831 };
const audience = {
  ...reportPack,
  startDate: "2026-05-19T00:00:00Z",
  endDate: "2026-05-20T00:00:00Z",
  aggregation: "3600",
};
type Body = Readonly<Record<string, unknown>>;

const purged = {
  action: "invalidate",
  kind: "url",
  network: "production",
  body: { objects: ["https://www.shop.example/sale"] },
};

/** The activations on production of the shop's property, as a table has them. */
const productionActivations: Task["figures"] = async (raw) => {
  const all = rowsAt(await raw("property_activations_list", property), "activations.items");
  const onProduction = all.filter(({ network }) => network === "PRODUCTION");
  return onProduction.map(
    ({ activationId, propertyVersion, network, status, submitDate }) =>
      `${activationId},${propertyVersion},${network},${status},${toMinute(submitDate)}`,
  );
};

export const account: readonly Task[] = [
  {
    question: "Which addresses does www.example.com have, and who receives our mail?",
    seed: 14,
    today: {
      calls: [["dns_recordsets_list", { zone: "example.com", showAll: true }]],
      figures: async (raw) => {
        const body = await raw("dns_recordsets_list", { zone: "example.com", showAll: true });
        const wanted = rowsAt(body, "recordsets").filter(
          ({ name, type }) => (name === "www.example.com" && /^A+$/.test(String(type))) || type === "MX",
        );
        return wanted.flatMap(({ rdata }) => rdata as string[]);
      },
    },
    calls: [["dns_zone_get", { zone: "example.com" }]],
    figures: async (raw) => {
      const body = await raw("dns_zone_get", { zone: "example.com" });
      const of = (type: string, name: string) =>
        rowsAt(body, `zone.${type}`).filter((row) => (row["name"] ?? "") === name);
      const [mail] = of("mx", "");
      return [...of("a", "www"), ...of("aaaa", "www")]
        .map(({ target }) => String(target))
        .concat(`"target":"${mail?.["target"]}","priority":${mail?.["priority"]}`);
    },
  },
  {
    question: "When did the version of www.shop.example that is live go to production, and what did it replace?",
    seed: 15,
    today: {
      calls: [
        ["property_version_find", { body: { hostname: "www.shop.example" } }],
        ["property_activations_list", property],
      ],
      figures: productionActivations,
    },
    calls: [
      ["property_version_find", { hostname: "www.shop.example" }],
      ["property_activations_list", property],
    ],
    figures: productionActivations,
  },
  {
    question: "Purge https://www.shop.example/sale from the default queue, please. I approve it. How far is it?",
    seed: 19,
    today: {
      calls: [
        ["purge_submit", purged],
        ["purge_submit", { ...purged, confirm: "CONFIRM" }],
      ],
      figures: async () => ["Nothing was changed", "HTTP 201", "estimatedSeconds: 5"],
    },
    calls: [
      ["purge_submit", { queueName: "default", body: { objects: ["https://www.shop.example/sale"] } }],
      [
        "purge_submit",
        { queueName: "default", body: { objects: ["https://www.shop.example/sale"] }, confirm: "CONFIRM" },
      ],
      ["purge_queue_get", { queueName: "default" }],
    ],
    figures: async (raw) => [
      "Nothing was changed",
      "HTTP 201",
      `queueLength: ${((await raw("purge_queue_get", { queueName: "default" })) as Body)["queueLength"]}`,
    ],
  },
  {
    question: "When yesterday did most people watch our streams at the same time, and how many?",
    seed: 24,
    today: null,
    calls: [
      ["media_report_packs_list", { family: "audience-analytics" }],
      ["media_report_pack_get", reportPack],
      [
        "media_data_get",
        {
          ...audience,
          dimensions: ["Time"],
          metrics: ["Concurrent Viewers"],
          view: { aggregate: "max(Concurrent Viewers)" },
        },
      ],
    ],
    figures: async (raw) => {
      const body = await raw("media_data_get", { ...audience, dimensions: ["1"], metrics: ["43"] });
      const rows = (body as { rows: readonly (readonly [string, string])[] }).rows;
      const peak = largestOf(
        rows.map(([at, viewers]) => ({ at: Number(at), viewers })),
        "viewers",
      );
      return [`"max(Concurrent Viewers)":${Number(peak["viewers"])}`, asAggregate(peak["at"])];
    },
  },
  {
    question: "If I moved the group Campaigns below Archive, who would gain or lose access?",
    seed: 29,
    calls: [
      ["user_groups_list", {}],
      ["user_affected_users_list", { sourceGroupId: 33_333, destinationGroupId: 44_444 }],
    ],
    figures: async (raw) => {
      const args = { sourceGroupId: 33_333, destinationGroupId: 44_444 };
      return rowsAt(await raw("user_affected_users_list", args)).map((one) => String(one["email"]));
    },
  },
  {
    question: "Which event is next, when does it begin, and for how many viewers?",
    seed: 34,
    today: {
      calls: [
        ["events_list", { view: { sort: "start" } }],
        ["event_get", { eventId: 20_051 }],
      ],
      figures: async (raw) => {
        const { name, start, audienceSize } = (await raw("event_get", { eventId: 20_051 })) as Body;
        return [String(name), String(start), Number(audienceSize)];
      },
    },
    calls: [["events_list", {}]],
    figures: async (raw) => {
      const now = Date.parse("2026-05-20T12:10:00Z");
      const coming = rowsAt(await raw("events_list")).filter(({ start }) => Number(start) > now);
      const [next] = [...coming].sort((a, b) => Number(a["start"]) - Number(b["start"]));
      const at = new Date(Number(next?.["start"])).toISOString().replace(".000", "");
      return [`${next?.["name"]}`, `${next?.["start"]} = ${at}`, Number(next?.["audienceSize"])];
    },
  },
];
