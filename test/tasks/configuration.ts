/** Tasks about certificates, names, properties, policies, purges, log delivery and media. */
import { memberAt } from "../../src/api/member.js";
import { largestOf, rowsAt, sumsBy, type Task, toMinute } from "./task.js";

const contract = { contractId: "C-1FRYVV3" };
const property = { propertyId: "prp_175780" };
const ids = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
type Body = Readonly<Record<string, unknown>>;

/** The end of the certificate that a network has. */
const expiryOn = (body: unknown, network: string): string =>
  String(memberAt(body, `${network}.primaryCertificate.expiry`));

export const configuration: readonly Task[] = [
  {
    question: "Which of our certificates end within the next three months, and what has to be done?",
    seed: 12,
    calls: [["expiry_report", { days: 92 }]],
    figures: async (raw) => {
      const now = Date.parse("2026-05-20T12:10:00Z");
      const list = rowsAt(await raw("cert_enrollments_list", contract), "enrollments");
      const figures: string[] = [];
      for (const { location, csr } of list) {
        const enrollmentId = Number(String(location).split("/").at(-1));
        const body = await raw("cert_deployments_list", { enrollmentId }).catch(() => ({}));
        for (const network of ["production", "staging"]) {
          if (!Object.hasOwn(body as object, network)) continue;
          const end = expiryOn(body, network);
          const days = Math.floor((Date.parse(end) - now) / 86_400_000);
          if (days <= 92) figures.push(`${toMinute(end)},${days},certificate of ${(csr as Body)["cn"]} on ${network}`);
        }
      }
      return figures;
    },
  },
  {
    question:
      "The new certificate of images.shop.example (contract C-1FRYVV3) is not live yet. What is it waiting for?",
    seed: 13,
    calls: [
      ["cert_enrollments_list", contract],
      ["cert_enrollment_status", { enrollmentId: 10003 }],
    ],
    figures: async (raw) => {
      const list = rowsAt(await raw("cert_enrollments_list", contract), "enrollments");
      const one = list.find(({ csr }) => (csr as Body)["cn"] === "images.shop.example");
      const path = String(one?.["pendingChanges"]);
      const [, enrollmentId, changeId] = /enrollments\/(\d+)\/changes\/(\d+)/.exec(path) ?? [];
      const { statusInfo } = (await raw("cert_change_get", { enrollmentId, changeId })) as { statusInfo: Body };
      return [`Change ${changeId}`, String(statusInfo["status"]), "next move: you"];
    },
  },
  {
    question: "Which addresses does www.example.com have, and who receives our mail?",
    seed: 14,
    calls: [["dns_zone_get", { zone: "example.com" }]],
    figures: async (raw) => {
      const body = await raw("dns_zone_get", { zone: "example.com" });
      const of = (type: string, name: string) =>
        rowsAt(body, `zone.${type}`).filter((row) => (row["name"] ?? "") === name);
      const [mail] = of("mx", "");
      return [...of("a", "www"), ...of("aaaa", "www")]
        .map(({ target }) => String(target))
        .concat(`${mail?.["target"]},${mail?.["priority"]}`);
    },
  },
  {
    question: "When did the version of www.shop.example that is live go to production, and what did it replace?",
    seed: 15,
    calls: [
      ["property_version_find", { hostname: "www.shop.example" }],
      ["property_activations_list", property],
    ],
    figures: async (raw) => {
      const all = rowsAt(await raw("property_activations_list", property), "activations.items");
      const onProduction = all.filter(({ network }) => network === "PRODUCTION");
      return onProduction.map(
        ({ activationId, propertyVersion, network, status, submitDate }) =>
          `${activationId},${propertyVersion},${network},${status},${toMinute(submitDate)}`,
      );
    },
  },
  {
    question: "Which of the properties of the group Shops run another version on staging than on production?",
    seed: 16,
    calls: [
      ["property_groups_list", {}],
      ["properties_list", ids],
    ],
    figures: async (raw) => {
      const items = rowsAt(await raw("properties_list", ids), "properties.items");
      const differing = items.filter((one) => one["stagingVersion"] !== one["productionVersion"]);
      return differing.map(
        (one) =>
          `${one["propertyId"]},${one["propertyName"]},${one["latestVersion"]},${one["stagingVersion"]},${one["productionVersion"]}`,
      );
    },
  },
  {
    question: "What was changed in our configuration in the last seven days, and by whom?",
    seed: 17,
    calls: [["change_timeline", { period: "last_7d" }]],
    figures: async (raw) => {
      const from = Date.parse("2026-05-13T12:00:00Z");
      const events = rowsAt(await raw("events_list"));
      const recent = events.filter(({ modifiedDate }) => Number(modifiedDate) >= from);
      const activations = rowsAt(
        await raw("property_activations_list", { propertyId: "prp_175782" }),
        "activations.items",
      );
      const fresh = activations.filter(({ submitDate }) => Date.parse(String(submitDate)) >= from);
      return [
        ...recent.map(({ name, modifiedBy }) => `${modifiedBy},event ${name} last changed`),
        ...fresh.map(
          ({ propertyVersion, propertyName, network, status }) =>
            `ACTIVATE version ${propertyVersion} of property ${propertyName} on ${network} (${status})`,
        ),
      ];
    },
  },
  {
    question: "How many edge logic policies of which kind do we have?",
    seed: 18,
    calls: [["edgelogic_policies_list", { allPages: true }]],
    figures: async (raw) => {
      const rows = rowsAt(await raw("edgelogic_policies_list"));
      return rows.map((row) => `${row["policyId"]},${row["cloudletId"]},${row["cloudletCode"]},${row["name"]}`);
    },
  },
  {
    question: "Purge https://www.shop.example/sale from the default queue, please. I approve it. How far is it?",
    seed: 19,
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
      "Status 201",
      `queueLength: ${((await raw("purge_queue_get", { queueName: "default" })) as Body)["queueLength"]}`,
    ],
  },
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
    question: "Have the logs that we asked for again been delivered?",
    seed: 21,
    calls: [["log_redeliveries_list", {}]],
    figures: async (raw) =>
      rowsAt(await raw("log_redeliveries_list")).flatMap(({ id, redeliveryDate, beginTime, endTime, status }) => [
        String(id),
        `${redeliveryDate},${beginTime},${endTime},${status}`,
      ]),
  },
  {
    question: "Which version of live.shop.example is on production, and which live streams has it?",
    seed: 22,
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
      return [`${Number(peak["viewers"])},${toMinute(peak["at"])}`];
    },
  },
  {
    question: "Which of our streams is interrupted most often, this week so far?",
    seed: 25,
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

function expectOne(rows: readonly unknown[]): void {
  if (rows.length !== 1) throw new Error(`The world has ${rows.length} of what the task takes for one.`);
}
