/** The emulated property service: what the documents demand of it, and how versions reach the networks over time. */
import { describe, expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const root = "/papi/v0";
const place = "contractId=ctr_C-1FRYVV3&groupId=grp_11111";
const shop = `${root}/properties/prp_175780`;
const images = `${root}/properties/prp_175782`;
const cpCode = (id: number) => ({ name: "cpCode", options: { value: { id } } });
const origin = { name: "origin", options: { hostname: "origin.shop.example" } };
const tree = (...behaviors: object[]) => ({ rules: { name: "default", behaviors, children: [] } });

type Item = Readonly<Record<"status" | "productionStatus" | "stagingStatus" | "propertyName", string>> &
  Readonly<Record<"propertyVersion", number>>;

function start() {
  const raw = startRaw();
  const { get, send, world } = raw;
  const items = async (target: string, list: string) => {
    const answer = (await get(target)).json() as Readonly<Record<string, { readonly items: Item[] }>>;
    return answer[list]?.items ?? [];
  };
  return {
    ...raw,
    items,
    versions: () => items(`${shop}/versions/`, "versions"),
    property: async () => (await items(shop, "properties"))[0],
    activate(more: object, target = shop) {
      const wanted = { propertyVersion: 3, network: "STAGING", notifyEmails: ["a@shop.example"], ...more };
      return send("POST", `${target}/activations/`, wanted);
    },
    later: (seconds: number) => world.advance(seconds * 1_000),
    statusOf: async (link: string) => (await items(link, "activations"))[0]?.status,
  };
}
const linkOf = (answer: { json(): unknown }) => Object.values(answer.json() as Record<string, string>)[0] ?? "";
const typeOf = (answer: { json(): unknown }) =>
  (answer.json() as { type: string }).type.replace("https://problems.luna.akamaiapis.net/papi/v0/", "");

rule("property-products-contract", "Products are those of a contract, which has to be named", async () => {
  const { get } = start();
  expect((await get(`${root}/products/`)).status).toBe(400);
  const products = async (contractId: string) => (await get(`${root}/products/?contractId=${contractId}`)).json();
  const [delivery, gateway] = [{ productId: "prd_Site_Delivery" }, { productId: "prd_API_Gateway" }];
  expect(await products("ctr_C-1FRYVV3")).toMatchObject({ products: { items: [delivery, gateway] } });
  expect(await products("3-MADEUP")).toMatchObject({ products: { items: [delivery] } });
  expect((await get(`${root}/products/?contractId=ctr_elsewhere`)).status).toBe(403);
});

rule("property-cpcode-place", "CP codes need a contract and a group that belong together", async () => {
  const { get } = start();
  // Public facts B, 3: so do all collections, whether or not the document says it.
  const paths = ["cpcodes/", "cpcodes/cpc_12345", "properties/", "edgehostnames/", "edgehostnames/ehn_1682"];
  for (const query of ["", "?contractId=ctr_C-1FRYVV3", "?groupId=grp_11111"])
    for (const path of paths) {
      const answer = await get(`${root}/${path}${query}`);
      expect([path, answer.status, typeOf(answer)]).toEqual([path, 400, "missing-required-parameter"]);
    }
  expect((await get(`${root}/cpcodes/?${place}`)).status).toBe(200);
  const foreign = await get(`${root}/cpcodes/?contractId=ctr_3-MADEUP&groupId=grp_11111`);
  expect(typeOf(foreign)).toBe("problem-extracting-contract-group");
});

rule("property-cpcode-created", "A new CP code has a link, which is its location and leads to it", async () => {
  const { get, send } = start();
  const made = await send("POST", `${root}/cpcodes/?${place}`, { productId: "Site_Delivery", cpcodeName: "Checkout" });
  expect([made.status, made.headers["location"]]).toEqual([201, linkOf(made)]);
  expect((await get(linkOf(made))).json()).toMatchObject({ cpcodes: { items: [{ cpcodeName: "Checkout" }] } });
});

rule("property-cpcode-product", "A CP code of another product than the property's is a warning", async () => {
  const { send } = start();
  const written = async (id: number) =>
    (await send("PUT", `${shop}/versions/3/rules/`, tree(origin, cpCode(id)))).json();
  expect(await written(12_345)).not.toHaveProperty("warnings");
  const warnings = [{ behaviorName: "cpCode", messageId: expect.stringMatching(/^msg_/) }];
  expect(await written(12_346)).toMatchObject({ warnings });
});

rule("property-head-digest", "HEAD has the digest of the rules, which covers the hostnames, too", async () => {
  const { ask, get, send } = start();
  const digest = async () => (await ask({ method: "HEAD", target: `${shop}/versions/3/rules/` })).headers["etag"];
  const before = await digest();
  expect(before).toBe(`"${((await get(`${shop}/versions/3/rules/`)).json() as { etag: string }).etag}"`);
  await send("PUT", `${shop}/versions/3/hostnames/`, [{ cnameFrom: "www.shop.example", edgeHostnameId: "1682" }]);
  expect(await digest()).not.toBe(before);
});

rule("property-latest-activated-on", "The latest version is the newest, or the one on a network", async () => {
  const { get } = start();
  const latest = async (query: string) => (await get(`${shop}/versions/latest${query}`)).headers["location"];
  expect(await latest("")).toContain("/versions/3?");
  expect(await latest("?activatedOn=PRODUCTION")).toContain("/versions/2?");
  const draft = `${root}/properties/prp_175783/versions/latest?activatedOn=STAGING`;
  expect((await get(draft)).status).toBe(404);
});

rule("property-cancel-pending", "An activation is cancelled while it is pending, and not later", async () => {
  const { ask, activate, later, statusOf, items } = start();
  const cancel = (target: string) => ask({ method: "DELETE", target });
  const link = linkOf(await activate({}));
  expect((await cancel(link)).json()).toMatchObject({ activations: { items: [{ status: "ABORTED" }] } });
  expect((await cancel(link)).status).toBe(204);
  expect(await statusOf(link)).toBe("ABORTED");
  const id = link.replace(/.*\/(atv_\d+).*/, "$1");
  expect(JSON.stringify(await items(`${shop}/activations/`, "activations"))).not.toContain(id);
  const other = linkOf(await activate({}));
  later(7);
  const late = await cancel(other);
  expect([late.status, typeOf(late)]).toEqual([422, "activation-cancellation/unprocessable-status"]);
  expect((await cancel(`${shop}/activations/atv_1`)).status).toBe(404);
});

rule("property-active-read-only", "A version that is or was active is not written", async () => {
  const { send } = start();
  for (const version of [1, 2]) {
    const answer = await send("PUT", `${shop}/versions/${version}/rules/`, tree(origin, cpCode(12_345)));
    expect([version, answer.status, typeOf(answer)]).toEqual([version, 403, "property-version/already-activated"]);
  }
  expect((await send("PUT", `${shop}/versions/3/rules/`, tree(origin, cpCode(12_345)))).status).toBe(200);
});

describe("an activation", () => {
  it("activation reaches staging zone by zone and replaces the old version", async () => {
    const { activate, get, later, property, statusOf, versions } = start();
    const link = linkOf(await activate({}));
    const seen: unknown[] = [];
    for (let second = 0; second < 18; second += 3) {
      seen.push(await statusOf(link));
      later(3);
    }
    expect(seen).toEqual(["PENDING", "PENDING", "ZONE_1", "ZONE_2", "ZONE_3", "ACTIVE"]);
    expect((await versions()).map(({ stagingStatus }) => stagingStatus)).toEqual(["ACTIVE", "INACTIVE", "INACTIVE"]);
    expect(await property()).toMatchObject({ stagingVersion: 3, productionVersion: 2 });
    expect(await statusOf(`${shop}/activations/atv_5001`)).toBe("INACTIVE");
    expect((await get(link)).headers["retry-after"]).toBeUndefined();
  });

  it("takes minutes to production, and says when to ask again", async () => {
    const { get, later, items, statusOf } = start();
    const link = `${images}/activations/atv_5004`;
    expect((await get(link)).headers["retry-after"]).toBe("30");
    expect((await items(images, "properties"))[0]).toMatchObject({ productionVersion: 1 });
    expect((await items(`${images}/versions/`, "versions"))[0]?.productionStatus).toBe("PENDING");
    later(480);
    expect(await statusOf(link)).toBe("ACTIVE");
    expect((await items(images, "properties"))[0]).toMatchObject({ productionVersion: 2 });
  });

  it("an activation is refused if one is pending or its version is active", async () => {
    const { activate } = start();
    expect(typeOf(await activate({ propertyVersion: 2, network: "PRODUCTION" }))).toBe("activation/already-activated");
    expect((await activate({})).status).toBe(201);
    const second = await activate({ propertyVersion: 1 });
    expect([second.status, typeOf(second)]).toEqual([422, "activation/still-pending"]);
  });

  it("is refused for errors, and for warnings until each is acknowledged", async () => {
    const { activate, send } = start();
    await send("PUT", `${shop}/versions/3/rules/`, tree(origin));
    expect((await activate({})).json()).toMatchObject({ status: 400, errors: [{ behaviorName: "cpCode" }] });
    await send("PUT", `${shop}/versions/3/rules/`, tree(origin, cpCode(12_346)));
    const refused = await activate({});
    expect([refused.status, typeOf(refused)]).toEqual([400, "activation/warnings-not-acknowledged"]);
    const { warnings } = refused.json() as { warnings: { messageId: string }[] };
    expect((await activate({ acknowledgeWarnings: ["msg_00000000"] })).status).toBe(400);
    expect((await activate({ acknowledgeWarnings: warnings.map(({ messageId }) => messageId) })).status).toBe(201);
  });

  it("a property can be deleted once its versions are off all networks", async () => {
    const { activate, ask, later, property, statusOf } = start();
    const remove = () => ask({ method: "DELETE", target: shop });
    const off = (network: string) => activate({ propertyVersion: 2, network, activationType: "DEACTIVATE" });
    expect(typeOf(await activate({ activationType: "DEACTIVATE" }))).toBe("deactivation/not-active-in-staging");
    expect((await remove()).status).toBe(500);
    const links = [linkOf(await off("STAGING")), linkOf(await off("PRODUCTION"))];
    expect(await statusOf(links[0] ?? "")).toBe("PENDING_DEACTIVATION");
    later(480);
    expect(await statusOf(links[1] ?? "")).toBe("DEACTIVATED");
    expect(await property()).toMatchObject({ stagingVersion: null, productionVersion: null });
    expect((await remove()).json()).toEqual({ message: "Deletion Successful." });
    expect((await ask({ target: shop })).status).toBe(404);
  });
});

it("a write with a wrong stamp in the header or body is refused", async () => {
  const { ask, get, send } = start();
  const target = `${shop}/versions/3/rules/`;
  const { etag } = (await get(target)).json() as { etag: string };
  const rules = tree(origin, cpCode(12_345));
  const put = (stamp: string) => {
    const headers = { "content-type": "application/json", "if-match": stamp };
    return ask({ method: "PUT", target, headers, body: JSON.stringify(rules) });
  };
  expect((await put('"0000"')).status).toBe(412);
  expect((await send("PUT", target, { ...rules, etag: "0000" })).status).toBe(412);
  expect((await put(`"${etag}"`)).status).toBe(200);
  expect(typeOf(await put(`"${etag}"`))).toBe("etag-conflict");
  const copy = { createFromVersion: 3, createFromVersionEtag: etag };
  expect((await send("POST", `${shop}/versions/`, copy)).status).toBe(412);
});

it("a version is cloned into a new property, with hostnames if asked", async () => {
  const { get, send } = start();
  const create = (propertyName: string, copyHostnames: boolean) => {
    const cloneFrom = { propertyId: "175780", version: 2, copyHostnames };
    return send("POST", `${root}/properties/?${place}`, { productId: "prd_Site_Delivery", propertyName, cloneFrom });
  };
  const hostnames = async (name: string, copyHostnames: boolean) => {
    const [path] = linkOf(await create(name, copyHostnames)).split("?");
    return ((await get(`${path}/versions/1/hostnames/`)).json() as { hostnames: { items: object[] } }).hostnames.items;
  };
  expect(await hostnames("copy-1", true)).toHaveLength(2);
  expect(await hostnames("copy-2", false)).toEqual([]);
  expect(typeOf(await create("copy-1", true))).toBe("property/name-in-use");
  expect(typeOf(await create("a b", true))).toBe("property/invalid-name");
});

it("shows ids without prefixes once the client's settings say so", async () => {
  const { get, send } = start();
  await send("PUT", `${root}/client-settings`, { ruleFormat: "latest", usePrefixes: false });
  expect((await get(`${shop}`)).json()).toMatchObject({
    properties: { items: [{ propertyId: "175780", groupId: "11111", propertyName: "www.shop.example" }] },
  });
  expect((await get(`${root}/groups/`)).json()).toMatchObject({ accountId: "1-7KLGH" });
});

it("a hostname search finds the active and the newest versions", async () => {
  const { items } = start();
  const search = async (query: string) =>
    (await items(`${root}/search/find-by-value?${query}`, "versions")).map(
      ({ propertyName, propertyVersion }) => `${propertyName} ${propertyVersion}`,
    );
  expect(await search("hostname=www.example.com")).toEqual(["www.shop.example 2", "www.shop.example 3"]);
  expect(await search("edgeHostname=api.shop.example.edgesuite.example")).toEqual(["api.shop.example 1"]);
  expect(await search("propertyName=nothing")).toEqual([]);
});
