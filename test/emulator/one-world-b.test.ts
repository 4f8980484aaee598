/** One world: what document B's services show of the example company is the same, and is what the others show of it. */
import { describe, expect, it } from "vitest";
import { stagingEdge } from "../../src/emulator/services/account.js";
import { startRaw } from "../lab/raw.js";

const place = "contractId=ctr_C-1FRYVV3&groupId=grp_11111";
const tools = "/diagnostic-tools/v2";
const tokyo = `${tools}/ghost-locations/tokyo-japan`;
const enrollmentType = (name: string, version: string) => `application/vnd.akamai.cps.${name}.${version}+json`;

interface Items<T> {
  readonly items: readonly T[];
}
interface Property {
  readonly propertyId: string;
  readonly propertyName: string;
  readonly assetId: string;
  readonly latestVersion: number;
  readonly productionVersion: number | null;
  readonly stagingVersion: number | null;
}
interface HostnameEntry {
  readonly cnameFrom: string;
  readonly cnameTo: string;
}

function start() {
  const raw = startRaw();
  const { get, send, ask, form, world } = raw;
  const json = async <T>(target: string, headers: Record<string, string> = {}): Promise<T> => {
    const answer = await ask({ target, headers });
    expect([target, answer.status], answer.text).toEqual([target, 200]);
    return answer.json() as T;
  };
  const link = async (target: string, body: unknown, type = "application/json"): Promise<string> => {
    const answer = await ask({ method: "POST", target, headers: { "content-type": type }, body: JSON.stringify(body) });
    expect([target, answer.status], answer.text).toEqual([target, 201]);
    const [made = ""] = Object.values(answer.json() as Record<string, string>);
    return made.split("?")[0]?.split("/").at(-1) ?? "";
  };
  const properties = async () =>
    (await json<{ properties: Items<Property> }>(`/papi/v0/properties/?${place}`)).properties.items;
  const hostnames = async (propertyId: string, version: number) => {
    const target = `/papi/v0/properties/${propertyId}/versions/${version}/hostnames/?${place}`;
    return (await json<{ hostnames: Items<HostnameEntry> }>(target)).hostnames.items;
  };
  return {
    ...raw,
    json,
    link,
    properties,
    hostnames,
    /** The hostnames that properties have on production. */
    async liveHostnames() {
      const all = await properties();
      const live = all.flatMap(({ propertyId, productionVersion }) =>
        productionVersion === null ? [] : [hostnames(propertyId, productionVersion)],
      );
      return (await Promise.all(live)).flat();
    },
    /** Every name of every enrollment. */
    async certificateNames() {
      const target = "/cps/v2/enrollments?contractId=C-1FRYVV3";
      type Enrollments = { enrollments: { csr: { cn: string; sans?: string[] } }[] };
      const { enrollments } = await json<Enrollments>(target, { accept: enrollmentType("enrollments", "v11") });
      return enrollments.flatMap(({ csr }) => [csr.cn, ...(csr.sans ?? [])]);
    },
    /** Makes the next version of a property from its newest, with other rules or hostnames. */
    async draft(propertyId: string, from: number, change: { rules?: unknown; hostnames?: unknown }) {
      const version = await link(`/papi/v0/properties/${propertyId}/versions/?${place}`, { createFromVersion: from });
      const at = `/papi/v0/properties/${propertyId}/versions/${version}`;
      if (change.hostnames) expect((await send("PUT", `${at}/hostnames/`, change.hostnames)).status).toBe(200);
      if (change.rules) expect((await send("PUT", `${at}/rules/`, { rules: change.rules })).status).toBe(200);
      return Number(version);
    },
    async activate(propertyId: string, propertyVersion: number, network: string, more: object = {}) {
      const target = `/papi/v0/properties/${propertyId}/activations/?${place}`;
      const body = { propertyVersion, network, notifyEmails: ["operations@shop.example"], ...more };
      const { status, text } = await send("POST", target, body);
      expect(status, text).toBe(201);
      world.advance(600_000);
    },
    async dig(hostName: string) {
      const target = `${tokyo}/dig-info?${new URLSearchParams({ hostName, queryType: "A" })}`;
      return (await json<{ digInfo: { answerSection: { value: string }[] } }>(target)).digInfo.answerSection.at(-1)
        ?.value;
    },
    debug: (url: string, edgeIp: string) => get(`${tools}/url-debug?${new URLSearchParams({ url, edgeIp })}`),
    form,
  };
}

/** The rules of a property that delivers everything from one origin under one CP code. */
const rulesOf = (cpCode: number, origin: string) => ({
  name: "default",
  behaviors: [
    { name: "origin", options: { hostname: origin } },
    { name: "cpCode", options: { value: { id: cpCode } } },
  ],
  children: [],
});

describe("the example company", () => {
  it("contract data, properties and certificates have the same contracts", async () => {
    const { ask, json } = start();
    const current = (await json<string[]>("/contract-api/v1/contracts/identifiers?depth=ALL")).filter(
      (id) => id !== "3-EXPIRED",
    );
    const { contracts } = await json<{ contracts: Items<{ contractId: string }> }>("/papi/v0/contracts/");
    expect(contracts.items.map(({ contractId }) => contractId)).toEqual(current.map((id) => `ctr_${id}`));
    const accept = enrollmentType("enrollments", "v4");
    const listed = (contractId: string) =>
      ask({ target: `/cps/v2/enrollments?contractId=${contractId}`, headers: { accept } });
    for (const contractId of current) expect((await listed(contractId)).status).toBe(200);
    expect((await listed("C-OTHERS")).status).toBe(403);
  });

  it("contracts, properties, policies and provisioning share their groups", async () => {
    const { json } = start();
    const groups = await json<{ id: number; name: string }[]>("/contract-api/v1/reportingGroups/");
    const own = (await json<{ groups: Items<{ groupId: string; groupName: string }> }>("/papi/v0/groups/")).groups;
    expect(own.items.map(({ groupId, groupName }) => ({ id: Number(groupId.slice(4)), name: groupName }))).toEqual(
      groups,
    );
    const ofPolicies = await json<{ groupId: number; groupName: string }[]>("/cloudlets/api/v2/group-info");
    expect(ofPolicies.map(({ groupId: id, groupName: name }) => ({ id, name }))).toEqual(groups);
    for (const { id } of groups)
      await json(`/config-secure-provisioning-service/v1/sps-requests?contractId=C-1FRYVV3&groupId=${id}`);
  });

  it("edge logic and visitor queue properties are the property service's", async () => {
    const { json, properties } = start();
    const own = (await properties()).map((one) => {
      const [newestVersion, production, staging] = [one.latestVersion, one.productionVersion, one.stagingVersion].map(
        (version) => (version === null ? null : expect.objectContaining({ version })),
      );
      return [one.propertyName, expect.objectContaining({ newestVersion, production, staging })];
    });
    expect(Object.entries(await json<object>("/cloudlets/api/v2/properties"))).toEqual(own);
    const queue = "/config-visitor-prioritization-data/api/v1/common/activation?historyOnly=true";
    const response = await json<{ name: string; fileId: number; assetId: number }[]>(queue);
    expect(response.length).toBeGreaterThan(0);
    for (const { name: propertyName, fileId, assetId } of response)
      expect(await properties()).toContainEqual(
        expect.objectContaining({ propertyName, propertyId: `prp_${fileId}`, assetId: `aid_${assetId}` }),
      );
  });

  it("every property hostname is in a zone or at the edge, and purgeable", async () => {
    const { dig, liveHostnames, send } = start();
    for (const { cnameFrom, cnameTo } of await liveHostnames()) {
      expect(await dig(cnameFrom), cnameFrom).toMatch(/^(192\.0\.2|203\.0\.113)\./);
      expect([cnameTo, await dig(cnameTo)]).toEqual([cnameTo, "192.0.2.20"]);
      const purged = await send("POST", "/ccu/v2/queues/default", { objects: [`https://${cnameFrom}/a`] });
      expect([cnameFrom, purged.status]).toEqual([cnameFrom, 201]);
    }
  });

  it("property hostnames are certificate names, and those have a zone", async () => {
    const { certificateNames, json, liveHostnames } = start();
    const names = await certificateNames();
    for (const { cnameFrom } of await liveHostnames()) expect(names).toContain(cnameFrom);
    for (const name of names) {
      const zone = name.split(".").slice(-2).join(".");
      await json(`/config-dns/v1/zones/${zone}`);
    }
  });

  it("has reports about exactly the zones that the DNS service has", async () => {
    const { get, json } = start();
    const period = "start=2026-05-19T00:00:00Z&end=2026-05-20T00:00:00Z&interval=DAY&metrics=sum_hits";
    const report = "/reporting-api/v1/reports/authoritative-dns-traffic-by-time/versions/3/report-data";
    const { metadata } = await json<{ metadata: { objectIds: string[] } }>(`${report}?${period}&allObjectIds=true`);
    expect(metadata.objectIds.length).toBeGreaterThan(0);
    for (const zone of metadata.objectIds) await json(`/config-dns/v1/zones/${zone}`);
    expect((await get("/config-dns/v1/zones/other.example")).status).toBe(404);
  });
});

describe("a property's activation", () => {
  const next = { cnameFrom: "next.shop.example", cnameTo: "www.shop.example.edgesuite.example" };

  it("an activation to staging shows only at the staging edge server", async () => {
    const { activate, debug, dig, draft, get, hostnames, json } = start();
    const staging = (await dig("www.shop.example.edgesuite-staging.example")) ?? "";
    expect(staging).toBe(stagingEdge.edgeIp);
    expect(await json(`${tools}/ip-addresses/${staging}/is-cdn-ip`)).toEqual({ isCdnIp: true });
    const own = (await hostnames("prp_175780", 3)).map(({ cnameFrom, cnameTo }) => ({ cnameFrom, cnameTo }));
    const version = await draft("prp_175780", 3, {
      hostnames: [...own, next],
      rules: rulesOf(67890, "standby.shop.example"),
    });
    const url = "http://next.shop.example/";
    const seen = async (edgeIp: string) => {
      const { status, text } = await debug(url, edgeIp);
      return [status, /"CP code":"(\d+)"/.exec(text)?.[1], /\/L\/\d+\/\d+\/1h\/([\w.-]+)\//.exec(text)?.[1]];
    };
    expect(await seen(staging)).toEqual([400, undefined, undefined]);
    await activate("prp_175780", version, "STAGING");
    expect(await seen(staging)).toEqual([200, "67890", "standby.shop.example"]);
    expect((await seen("192.0.2.20"))[0]).toBe(400);
    const logs = await get(`${tools}/ip-addresses/${staging}/log-lines?duration=360`);
    expect(logs.json()).toMatchObject({ logLines: { logs: [] } });
  });

  it("a policy on staging redirects only there until production has it", async () => {
    const { send, world } = start();
    const answered = async (edgeIp: string) => {
      const target = `${tools}/ip-addresses/${edgeIp}/curl-results`;
      const answer = await send("POST", target, { url: "http://www.shop.example/old" });
      return (answer.json() as { curlResults: { httpStatusCode: number } }).curlResults.httpStatusCode;
    };
    const activate = async (network: string) => {
      await send("POST", "/cloudlets/api/v2/policies/1001/versions/2/activations", { network });
      world.advance(60_000);
    };
    const both = async () => [await answered(stagingEdge.edgeIp), await answered("192.0.2.20")];
    expect(await both()).toEqual([200, 200]);
    await activate("staging");
    expect(await both()).toEqual([301, 200]);
    await activate("prod");
    expect(await both()).toEqual([301, 301]);
  });
});

describe("a property's CP code", () => {
  it("traffic moves to a property's new CP code with its activation", async () => {
    const { activate, draft, json, link, world } = start();
    // The newest version of the seed is still on its way.
    world.advance(600_000);
    const code = await link(`/papi/v0/cpcodes/?${place}`, { productId: "prd_API_Gateway", cpcodeName: "Images 2" });
    const id = code.slice(4);
    const version = await draft("prp_175782", 2, { rules: rulesOf(Number(id), "origin.shop.example") });
    const hits = async (cpCode: string, hour: string) => {
      const period = `start=2026-05-20T${hour}:00:00Z&end=2026-05-20T${String(Number(hour) + 1).padStart(2, "0")}:00:00Z`;
      const report = "/reporting-api/v1/reports/endpoint-usage-by-time/versions/1/report-data";
      const { data } = await json<{ data: { edgeHits: string }[] }>(
        `${report}?${period}&interval=HOUR&metrics=edgeHits&objectIds=${cpCode}`,
      );
      return Number(data[0]?.edgeHits);
    };
    const used = async (product: string) => {
      const target = `/billing-center-api/v2/contracts/C-1FRYVV3/products/${product}/measures`;
      const days = await json<{ date: string; value: number }[]>(`${target}?month=5&year=2026&statisticName=Requests`);
      return days.find(({ date }) => date === "2026-05-21")?.value ?? 0;
    };
    const other = start();
    await activate("prp_175782", version, "PRODUCTION", { acknowledgeAllWarnings: true });
    world.advance(36 * 3_600_000);
    other.world.advance(36 * 3_600_000 + 1_200_000);
    expect([(await hits("67890", "11")) > 0, await hits(id, "11")]).toEqual([true, 0]);
    expect([await hits("67890", "14"), (await hits(id, "14")) > 0]).toEqual([0, true]);
    expect(await used("M-API-2")).toBeGreaterThan(0.7);
    const before = await other.json<{ date: string; value: number }[]>(
      "/billing-center-api/v2/contracts/C-1FRYVV3/products/M-API-2/measures?month=5&year=2026&statisticName=Requests",
    );
    expect(await used("M-API-2")).toBeGreaterThan(before.find(({ date }) => date === "2026-05-21")?.value ?? 0);
  });
});

describe("a property's hostname", () => {
  it("a version warns of a hostname that its edge certificate lacks", async () => {
    const { hostnames, json, link, send } = start();
    const edge = (certEnrollmentId: number) => ({
      ...{ productId: "prd_Site_Delivery", ipVersionBehavior: "IPV4", secureNetwork: "ENHANCED_TLS", certEnrollmentId },
      ...{ domainPrefix: "secure.shop.example", domainSuffix: "edgekey.example" },
    });
    const unknown = await send("POST", `/papi/v0/edgehostnames/?${place}`, edge(9));
    expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining("enrollment 9")]);
    await link(`/papi/v0/edgehostnames/?${place}`, edge(10_001));
    const at = "/papi/v0/properties/prp_175780/versions/3";
    const warned = async (cnameFrom: string) => {
      const cnameTo = "secure.shop.example.edgekey.example";
      expect((await send("PUT", `${at}/hostnames/`, [{ cnameFrom, cnameTo }])).status).toBe(200);
      const { warnings = [] } = await json<{ warnings?: { detail: string }[] }>(`${at}/rules/?${place}`);
      return warnings.map(({ detail }) => detail);
    };
    expect(await warned("www.shop.example")).toEqual([]);
    expect(await warned("cart.shop.example")).toEqual([
      "The certificate of secure.shop.example.edgekey.example does not name cart.shop.example",
    ]);
    expect((await hostnames("prp_175780", 3)).map(({ cnameFrom }) => cnameFrom)).toEqual(["cart.shop.example"]);
  });

  it("a hostname provisioned with a certificate resolves as edge hostname", async () => {
    const { dig, form, json } = start();
    const target = "/config-secure-provisioning-service/v1/secure-edge-hosts?contractId=C-1FRYVV3&groupId=11111";
    const wanted = { cnameHostname: "www.shop.example", enrollmentId: "10001" };
    const made = await form("POST", target, wanted, "application/x-www-form-urlencoded");
    expect(made.status, made.text).toBe(202);
    const { edgeHostnames } = await json<{ edgeHostnames: Items<object> }>(`/papi/v0/edgehostnames/?${place}`);
    expect(edgeHostnames.items).toContainEqual(
      expect.objectContaining({ edgeHostnameDomain: "www.shop.example.edgekey.example", secure: true }),
    );
    expect(await dig("www.shop.example.edgekey.example")).toBe("192.0.2.20");
  });
});
