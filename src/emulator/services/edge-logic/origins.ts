/** What the emulated edge logic does with load balancers, their versions and activations. */
import { withoutFalse } from "../../../language/words.js";
import type { z } from "../../../language/z.js";
import type { originOperations } from "../../../tools/edge-logic/origins.js";
import type { OriginVersion } from "../../../tools/edge-logic/shapes.js";
import { activationStateOf } from "../../primitives/activation.js";
import { type Authorship, authorshipNow } from "../../primitives/authored.js";
import { seedsOf } from "../../primitives/seeds.js";
import { Store } from "../../primitives/store.js";
import { conflict, created, ok } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { portalUser } from "../account.js";
import { propertiesIn } from "../properties/served.js";
import { invalidRequest } from "./applications.js";
import { type ActivationSeed, activationFrom, checksumOf, midnightOf, type VersionActivation } from "./policy-store.js";
import { originsOf } from "./properties.js";
import seeds from "./seeds.json" with { type: "json" };

type Content = Pick<
  z.output<typeof OriginVersion>,
  "balancingType" | "description" | "deleted" | "dataCenters" | "livenessSettings"
>;
interface Version extends Authorship {
  readonly version: number;
  readonly content: Content;
}
interface Balancer {
  readonly originId: string;
  description: string | null;
  readonly versions: Store<Version>;
  readonly activations: VersionActivation[];
}
interface Seed extends Omit<Balancer, "versions" | "activations"> {
  readonly versions: readonly Version[];
  readonly activations: readonly ActivationSeed[];
}

const versionStore = (originId: string, all: readonly Version[] = []) =>
  new Store<Version>("version", (version) => `The load balancer ${originId} has no version ${version}`, all);
const balancers = (world: World): Store<Balancer> =>
  world.state("load balancers", () => {
    const all = seedsOf<readonly Seed[]>(seeds.balancers, midnightOf(world)).map((seed) => ({
      ...seed,
      versions: versionStore(seed.originId, seed.versions),
      activations: seed.activations.map((begun) => activationFrom(begun, portalUser)),
    }));
    return new Store<Balancer>("originId", (id) => `There is no load balancer ${id}`, all);
  });

const balancerBody = (world: World, { originId, description, versions }: Balancer) => ({
  originId,
  type: "APPLICATION_LOAD_BALANCER",
  checksum: checksumOf(world, originId, description ?? "", JSON.stringify(versions.all.at(-1)?.content ?? null)),
  description,
});

/** What keeps a version from being activated. */
function problemsOf({ dataCenters = [], livenessSettings }: Content): string[] {
  const total = dataCenters.reduce((sum, { percent }) => sum + percent, 0);
  return withoutFalse(
    Math.abs(total - 100) > 0.001 && `The data centers' percentages add up to ${total} instead of 100`,
    !livenessSettings && "There are no liveness settings",
  );
}

const time = (ms: number): string => new Date(ms).toISOString();
const isActivated = ({ activations }: Balancer, { version }: Version): boolean =>
  activations.some((one) => one.version === version);
const versionBody = (balancer: Balancer, version: Version, isValidated = false) => ({
  originId: balancer.originId,
  version: version.version,
  ...version.content,
  immutable: isActivated(balancer, version),
  createdBy: version.createdBy,
  createdDate: time(version.createdAtMs),
  lastModifiedBy: version.modifiedBy,
  lastModifiedDate: time(version.modifiedAtMs),
  ...(isValidated && { warnings: problemsOf(version.content).map((detail) => ({ title: "Invalid version", detail })) }),
});

function activationBody(world: World, { originId, activations }: Balancer, activation: VersionActivation) {
  const inPlace = activations.filter(({ network }) => network === activation.network);
  const status = activationStateOf(world, inPlace, activation);
  const { network, version, by, atMs } = activation;
  return { originId, network, version, status, activatedBy: by, activatedDate: time(atMs) };
}
const activationBodies = (world: World, balancer: Balancer) =>
  balancer.activations.toReversed().map((one) => activationBody(world, balancer, one));

/** What is written of a version, with everything that it may have. */
const contentOf = (given: { readonly [K in keyof Content]?: Content[K] | undefined }): Content => {
  const { balancingType, description, deleted = false, dataCenters, livenessSettings, ...others } = given;
  return { ...others, balancingType, description, deleted, dataCenters, livenessSettings };
};

export function createBalancer(world: World, originId: string, description: string | null | undefined) {
  if (balancers(world).has(originId)) throw conflict(`The origin ${originId} exists`);
  const versions = versionStore(originId);
  const balancer = { originId, description: description ?? null, versions, activations: [] };
  return created(balancerBody(world, balancers(world).add(balancer)));
}

export const originBehaviours: BehavioursOf<typeof originOperations> = {
  edgelogic_origins_list: ({ query }, world) => {
    const balancerBodies = balancers(world).all.map((one) => balancerBody(world, one));
    const ofProperties = propertiesIn(world).flatMap((property) => originsOf(world, property.versions.at(-1)));
    const once = ofProperties.filter((one, at) => ofProperties.findIndex((o) => o.originId === one.originId) === at);
    const byType = { alb: balancerBodies, customer: once, netstorage: [] };
    return ok(query.type === undefined ? [...balancerBodies, ...once] : byType[query.type]);
  },

  edgelogic_origin_get: ({ path }, world) => ok(balancerBody(world, balancers(world).find(path.originId))),

  edgelogic_origin_create: ({ path, body }, world) => createBalancer(world, path.originId, body.description),

  edgelogic_origin_update: ({ path, body }, world) => {
    const balancer = balancers(world).find(path.originId);
    if (body.description !== undefined) balancer.description = body.description;
    return ok(balancerBody(world, balancer));
  },

  edgelogic_origin_versions_list: ({ path }, world) => {
    const balancer = balancers(world).find(path.originId);
    return ok(balancer.versions.all.toReversed().map((one) => versionBody(balancer, one)));
  },

  edgelogic_origin_version_create: ({ path, body }, world) => {
    const balancer = balancers(world).find(path.originId);
    const version = (balancer.versions.all.at(-1)?.version ?? 0) + 1;
    const one = balancer.versions.add({ version, content: contentOf(body), ...authorshipNow(world) });
    return created(versionBody(balancer, one));
  },

  edgelogic_origin_version_get: ({ path, query }, world) => {
    const balancer = balancers(world).find(path.originId);
    return ok(versionBody(balancer, balancer.versions.find(path.version), query.validate === true));
  },

  edgelogic_origin_version_update: ({ path, query, body }, world) => {
    const balancer = balancers(world).find(path.originId);
    const former = balancer.versions.find(path.version);
    if (isActivated(balancer, former))
      throw invalidRequest(`Version ${path.version} is immutable`, "version-immutable");
    const one = balancer.versions.add({ ...former, content: contentOf(body), ...authorshipNow(world, former) });
    return ok(versionBody(balancer, one, query.validate === true));
  },

  edgelogic_current_activations_list: (_, world) => {
    const active = balancers(world).all.map((balancer) => {
      const bodies = activationBodies(world, balancer).filter(({ status }) => status === "active");
      return [balancer.originId, Object.fromEntries(bodies.map((one) => [one.network, one]))] as const;
    });
    return ok(Object.fromEntries(active.filter(([, networks]) => Object.keys(networks).length > 0)));
  },

  edgelogic_origin_activations_list: ({ path }, world) =>
    ok(activationBodies(world, balancers(world).find(path.originId))),

  edgelogic_origin_activate: ({ path, body }, world) => {
    const balancer = balancers(world).find(path.originId);
    const { version, content } = balancer.versions.find(body.version);
    const [problem] = problemsOf(content);
    if (problem !== undefined) throw invalidRequest(problem, "version-invalid");
    const { network, dryrun = false } = body;
    const isPending = activationBodies(world, balancer).some(
      (one) => one.network === network && one.version === version && one.status === "pending",
    );
    if (isPending) throw conflict(`Version ${version} is being activated on ${network}`);
    const added = activationFrom({ network, version, atMs: world.now() });
    if (!dryrun) balancer.activations.push(added);
    return ok({ ...activationBody(world, balancer, added), dryrun });
  },
};
