/** Tasks about log delivery, live streams and what viewers saw. */
import { memberAt } from "../../../src/language/member.js";
import { asAggregate, largestOf, rowsAt, sumsBy, type Task } from "./task.js";

type Body = Readonly<Record<string, unknown>>;

function expectOne(rows: readonly unknown[]): void {
  if (rows.length !== 1) throw new Error(`The world has ${rows.length} of what the task takes for one.`);
}

export const delivery: readonly Task[] = [
  {
    question: "Where do the logs of the shop (CP code 12345) go, how often, and in which format?",
    seed: 20,
    calls: [
      ["log_sources_list", {}],
      ["log_source_configurations_list", { logSourceType: "cpcode-products", logSourceId: "12345-1" }],
    ],
    figures: async (raw) => {
      const args = { logSourceType: "cpcode-products", logSourceId: "12345-1" };
      const body = await raw("log_source_configurations_list", args);
      const at = (path: string) => String(memberAt(body, ["0", ...path.split(".")]));
      return [
        at("deliveryDetails.machine"),
        at("deliveryDetails.directory"),
        at("logFormatDetails.logFormat.value"),
        at("aggregationDetails.deliveryFrequency.value"),
      ];
    },
  },
  {
    question: "Which version of live.shop.example is on production, and which live streams has it?",
    seed: 22,
    today: null,
    calls: [
      ["live_domain_get", { domain: "live.shop.example" }],
      ["live_streams_list", { domain: "live.shop.example" }],
    ],
    figures: async (raw) => {
      const body = await raw("live_domain_get", { domain: "live.shop.example" });
      const versions = rowsAt(body, "domain-versions.domain-version");
      const live = versions.filter((one) => one["production-deployment-status"] === "Activated");
      const streams = rowsAt(await raw("live_streams_list", { domain: "live.shop.example" }), "stream");
      expectOne(live);
      return streams
        .map((one) => `${one["stream-id"]},${one["stream-type"]},${one["stream-name"]}`)
        .concat(`${live[0]?.["author"]},Activated`);
    },
  },
  {
    question: "How long was the spring show on air? It is an event of stream 201044 of live.shop.example.",
    seed: 23,
    today: null,
    calls: [["live_events_list", { domain: "live.shop.example", streamId: "201044" }]],
    figures: async (raw) => {
      const body = await raw("live_events_list", { domain: "live.shop.example", streamId: "201044" });
      const show = rowsAt(body, "event").find((one) => one["event-name"] === "spring-show");
      const primary = show?.["primary-event"] as Body;
      return [`${primary["on-air-time"]},${primary["off-air-time"]}`];
    },
  },
  {
    question: "When yesterday did most people watch our streams at the same time, and how many?",
    seed: 24,
    today: null,
    calls: [
      ["media_report_packs_list", { family: "audience-analytics" }],
      ["media_report_pack_get", { family: "audience-analytics", reportPackId: 6831 }],
      [
        "media_data_get",
        {
          family: "audience-analytics",
          reportPackId: 6831,
          startDate: "2026-05-19T00:00:00Z",
          endDate: "2026-05-20T00:00:00Z",
          aggregation: "3600",
          dimensions: ["Time"],
          metrics: ["Concurrent Viewers"],
          view: { aggregate: "max(Concurrent Viewers)" },
        },
      ],
    ],
    figures: async (raw) => {
      const body = await raw("media_data_get", {
        family: "audience-analytics",
        reportPackId: 6831,
        startDate: "2026-05-19T00:00:00Z",
        endDate: "2026-05-20T00:00:00Z",
        aggregation: "3600",
        dimensions: ["1"],
        metrics: ["43"],
      });
      const rows = (body as { rows: readonly (readonly [string, string])[] }).rows;
      const peak = largestOf(
        rows.map(([at, viewers]) => ({ at: Number(at), viewers })),
        "viewers",
      );
      return [`"max(Concurrent Viewers)":${Number(peak["viewers"])}`, asAggregate(peak["at"])];
    },
  },
  {
    question: "Which of our streams is interrupted most often, this week so far?",
    seed: 25,
    today: null,
    calls: [
      ["media_report_packs_list", { family: "qos-monitor" }],
      ["media_report_pack_get", { family: "qos-monitor", reportPackId: 6833 }],
      [
        "media_data_get",
        {
          family: "qos-monitor",
          reportPackId: 6833,
          startDate: "2026-05-18T00:00:00Z",
          endDate: "2026-05-20T00:00:00Z",
          aggregation: "3600",
          dimensions: ["Time", "Stream"],
          metrics: ["Plays", "Rebuffers"],
          allPages: true,
          view: { group_by: "Stream", aggregate: ["sum(Plays)", "sum(Rebuffers)"], sort: "-sum(Rebuffers)" },
        },
      ],
    ],
    figures: async (raw) => {
      const body = await raw("media_data_get", {
        family: "qos-monitor",
        reportPackId: 6833,
        startDate: "2026-05-18T00:00:00Z",
        endDate: "2026-05-20T00:00:00Z",
        aggregation: "3600",
        dimensions: ["1", "2"],
        metrics: ["40", "51"],
        allPages: true,
      });
      const cells = (body as { rows: readonly (readonly string[])[] }).rows;
      const rows = cells.map(([, stream, plays, rebuffers]) => ({ stream, plays, rebuffers }));
      const of = (member: string) => sumsBy(rows, ({ stream }) => String(stream), member);
      const plays = of("plays");
      return [...of("rebuffers")].map(([stream, count]) => `${stream},${plays.get(stream)},${count}`);
    },
  },
];
