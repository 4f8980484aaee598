/** Tasks about certificates, names, properties, policies and purges. */
import { memberAt } from "../../../src/language/member.js";
import { rowsAt, type Task, toMinute } from "./task.js";

const contract = { contractId: "C-1FRYVV3" };
const property = { propertyId: "prp_175780" };
const ids = { contractId: "ctr_C-1FRYVV3", groupId: "grp_11111" };
const notifyEmails = ["operations@shop.example"];
type Body = Readonly<Record<string, unknown>>;

/** The end of the certificate that a network has. */
const expiryOn = (body: unknown, network: string): string =>
  String(memberAt(body, `${network}.primaryCertificate.expiry`));

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
      return [`Change ${changeId}`, String(statusInfo["status"]), "next step by: you"];
    },
  },
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
    question:
      "How far are the newest versions of www.shop.example (prp_175780) and images.shop.example (prp_175782) rolled out, and what comes next? Notify operations@shop.example.",
    seed: 20,
    today: {
      calls: [["property_rollout_run", { properties: ["www.shop.example", "images.shop.example"], notifyEmails }]],
      figures: async (raw) => {
        const items = rowsAt(await raw("properties_list", ids), "properties.items");
        const [shop, images] = ["prp_175780", "prp_175782"].map((id) => items.find((one) => one["propertyId"] === id));
        return [
          `${shop?.["propertyId"]},${shop?.["propertyName"]},3,${shop?.["latestVersion"]},${shop?.["stagingVersion"]},${shop?.["productionVersion"]},STAGING`,
          `${images?.["propertyId"]},${images?.["propertyName"]},2,${images?.["latestVersion"]},${images?.["stagingVersion"]},${images?.["productionVersion"]},PRODUCTION PENDING`,
          "askAgainWith",
        ];
      },
    },
    calls: [
      ["property_change_run", { ...property, notifyEmails }],
      ["property_change_run", { propertyId: "prp_175782", notifyEmails }],
    ],
    figures: async (raw) => {
      const of = { propertyId: "prp_175782" };
      const [pending] = rowsAt(await raw("property_activations_list", of), "activations.items");
      return [
        'ACTIVATE version 3 of "www.shop.example" (prp_175780) on STAGING: it replaces version 2',
        `Version ${pending?.["propertyVersion"]} is being activated on ${pending?.["network"]}`,
        String(pending?.["activationId"]),
      ];
    },
  },
  {
    question: "What was changed in our configuration in the last seven days, and by whom?",
    seed: 17,
    today: {
      calls: [["change_timeline", { period: "last_7d" }]],
      figures: async (raw) => {
        const of = { propertyId: "prp_175782" };
        const activations = rowsAt(await raw("property_activations_list", of), "activations.items");
        const fresh = activations.filter(
          ({ submitDate }) => Date.parse(String(submitDate)) >= Date.parse("2026-05-13"),
        );
        return fresh.map(
          ({ propertyVersion, propertyName, network, status }) =>
            `ACTIVATE version ${propertyVersion} of property ${propertyName} on ${network} (${status})`,
        );
      },
    },
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
];
