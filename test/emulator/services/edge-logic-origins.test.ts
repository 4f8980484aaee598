/** The rules for load-balancing origins, asked of the emulator in raw HTTP. */
import { expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

type Json = Record<string, unknown>;
const origins = "/cloudlets/api/v2/origins";
const own = `${origins}/shopBalancer`;
const place = { continent: "EU", country: "DE", latitude: 50.11, longitude: 8.68 };
const center = (percent: number) => ({ ...place, originId: "shopFrankfurt", percent, cloudService: false });
const livenessSettings = { port: 443, protocol: "HTTPS" };

function start() {
  const raw = startRaw();
  const json = async (target: string) => (await raw.get(target)).json();
  const post = async (target: string, body: object) => {
    const { status, text } = await raw.send("POST", target, body);
    return { status, body: JSON.parse(text) as Json };
  };
  const states = async () =>
    ((await json(`${own}/activations`)) as Json[]).map(
      ({ network, version, status }) => `${network} ${version} ${status}`,
    );
  return { ...raw, json, post, states };
}

rule("edgelogic-alb-only", "knows load balancers alone by their id, not the origins of properties", async () => {
  const { get, json, send } = start();
  expect(await json(own)).toMatchObject({ originId: "shopBalancer", type: "APPLICATION_LOAD_BALANCER" });
  for (const path of ["", "/versions", "/versions/1", "/activations"])
    expect([path, (await get(`${origins}/shopFrankfurt${path}`)).status]).toEqual([path, 404]);
  expect((await send("PUT", `${origins}/shopFrankfurt`, { description: "a" })).status).toBe(404);
  expect((await send("PUT", own, { description: "a" })).json()).toMatchObject({ description: "a" });
});

rule("edgelogic-origin-types", "limits the list of origins to one type", async () => {
  const { json } = start();
  const typesOf = async (query: string) => [
    ...new Set(((await json(`${origins}${query}`)) as { type: string }[]).map(({ type }) => type)),
  ];
  expect(await typesOf("")).toEqual(["APPLICATION_LOAD_BALANCER", "CUSTOMER"]);
  expect(await typesOf("?type=alb")).toEqual(["APPLICATION_LOAD_BALANCER"]);
  expect(await typesOf("?type=customer")).toEqual(["CUSTOMER"]);
  expect(await typesOf("?type=netstorage")).toEqual([]);
});

it("an origin is created by path in documents, by body in today's API", async () => {
  const { post, json } = start();
  const first = await post(`${origins}/first`, { description: "a" });
  expect(first).toMatchObject({ status: 201, body: { originId: "first" } });
  expect(await post(origins, { originId: "second" })).toMatchObject({ status: 201, body: { originId: "second" } });
  expect(await json(`${origins}/second`)).toMatchObject({ originId: "second", description: null });
  for (const [path, body] of [[origins, { originId: "first" }] as const, [`${origins}/first`, {}] as const])
    expect([path, (await post(path, body)).status]).toEqual([path, 409]);
  expect((await post(origins, { description: "a" })).status).toBe(400);
  expect(await json(`${origins}/first/versions`)).toEqual([]);
});

rule("edgelogic-origin-validate", "warns of what would keep a version from being activated, when asked", async () => {
  const { post, json } = start();
  const { body } = await post(`${own}/versions`, { dataCenters: [center(90)] });
  const version = `${own}/versions/${body["version"]}`;
  expect(await json(version)).not.toHaveProperty("warnings");
  const { warnings } = (await json(`${version}?validate=true`)) as { warnings: { detail: string }[] };
  expect(warnings.map(({ detail }) => detail).join()).toMatch(/90.*liveness/);
  expect((await post(`${own}/activations`, { network: "STAGING", version: body["version"] })).status).toBe(400);
  expect(await json(`${own}/versions/2?validate=true`)).toMatchObject({ warnings: [] });
});

rule("edgelogic-origin-immutable", "keeps a version that was activated as it is, and replaces another", async () => {
  const { send, json, post, world } = start();
  expect((await send("PUT", `${own}/versions/1`, { description: "a" })).status).toBe(400);
  const written = { balancingType: "PERFORMANCE", dataCenters: [center(100)], livenessSettings };
  world.advance(1_000);
  expect((await send("PUT", `${own}/versions/2`, written)).json()).toMatchObject({ ...written, immutable: false });
  expect(await json(`${own}/versions/2`)).not.toHaveProperty("description");
  await post(`${own}/activations`, { network: "STAGING", version: 2 });
  expect(await json(`${own}/versions/2`)).toMatchObject({ immutable: true, lastModifiedBy: "mheld" });
  expect(((await json(`${own}/versions`)) as Json[]).map(({ version }) => version)).toEqual([2, 1]);
});

rule("edgelogic-origin-activation", "an origin activation becomes active and deactivates the former one", async () => {
  const { post, states, world, json } = start();
  const activation = { network: "PRODUCTION", version: 2 };
  const pending = { ...activation, status: "pending", dryrun: false };
  expect((await post(`${own}/activations`, activation)).body).toMatchObject(pending);
  expect((await post(`${own}/activations`, activation)).status).toBe(409);
  expect(await states()).toEqual(["PRODUCTION 2 pending", "PRODUCTION 1 active", "STAGING 1 active"]);
  const current = async () => await json(`${origins}/currentActivations`);
  expect(await current()).toMatchObject({ shopBalancer: { PRODUCTION: { version: 1 }, STAGING: { version: 1 } } });
  world.advance(30_000);
  expect(await states()).toEqual(["PRODUCTION 2 active", "PRODUCTION 1 deactivated", "STAGING 1 active"]);
  expect(await current()).toMatchObject({ shopBalancer: { PRODUCTION: { version: 2 }, STAGING: { version: 1 } } });
});

rule("edgelogic-origin-dryrun", "changes nothing in a dry run", async () => {
  const { post, states } = start();
  const before = await states();
  const dry = await post(`${own}/activations`, { network: "STAGING", version: 2, dryrun: true });
  expect(dry).toMatchObject({ status: 200, body: { dryrun: true, version: 2 } });
  expect(await states()).toEqual(before);
  expect((await post(`${own}/activations`, { network: "STAGING", version: 9, dryrun: true })).status).toBe(404);
});

it("changes a balancer's checksum with its newest version", async () => {
  const { post, json } = start();
  const checksum = async () => ((await json(own)) as Json)["checksum"];
  const before = await checksum();
  await post(`${own}/versions`, { dataCenters: [center(100)], livenessSettings });
  expect(await checksum()).not.toBe(before);
  expect(await checksum()).toMatch(/^[0-9a-f]{32}$/);
});
