/** What the emulated edge logic does with load balancers, their versions and activations. */
import { dayMs } from "../../../language/durations.js";
import type { z } from "../../../language/z.js";
import type { originOperations } from "../../../tools/edge-logic/origins.js";
import type { OriginVersion } from "../../../tools/edge-logic/shapes.js";
import { standing } from "../../primitives/activation.js";
import { type Authored, authored, touch } from "../../primitives/authored.js";
import type { Job } from "../../primitives/job.js";
import { foundIn } from "../../primitives/store.js";
import { conflict, created, ok, orNotFound } from "../../reply.js";
import type { BehavioursOf } from "../../service.js";
import type { World } from "../../world.js";
import { portalUser, userInUse } from "../account.js";
import { propertiesIn } from "../properties/served.js";
import { invalid } from "./applications.js";
import { originsOf } from "./bodies.js";
import { checksumOf } from "./policy-store.js";

type Content = Pick<
  z.output<typeof OriginVersion>,
  "balancingType" | "description" | "deleted" | "dataCenters" | "livenessSettings"
>;
interface Version extends Authored {
  readonly version: number;
  content: Content;
}
interface Activation extends Job {
  readonly network: "PRODUCTION" | "STAGING";
  readonly version: number;
  readonly by: string;
}
interface Balancer {
  readonly originId: string;
  description: string | null;
  readonly versions: Version[];
  readonly activations: Activation[];
}

const lastsMs = { STAGING: 10_000, PRODUCTION: 30_000 } as const;

const center = (originId: string, percent: number) => ({
  originId,
  percent,
  cloudService: false,
  continent: "EU" as const,
  country: "DE",
  latitude: 50.11,
  longitude: 8.68,
});

const state = (world: World): Map<string, Balancer> =>
  world.state("load balancers", () => {
    const at = (days: number) => Math.floor(world.startedAtMs / dayMs) * dayMs - days * dayMs;
    const version = (number: number, days: number, description: string, shares: readonly number[]): Version => ({
      version: number,
      content: {
        balancingType: "WEIGHTED",
        description,
        deleted: false,
        dataCenters: ["shopFrankfurt", "shopStandby"].map((id, index) => center(id, shares[index] ?? 0)),
        livenessSettings: { path: "/status", port: 443, protocol: "HTTPS", interval: 25, timeout: 30 },
      },
      ...authored(at(days), portalUser),
    });
    const originId = "shopBalancer";
    const active = { version: 1, by: portalUser };
    const front: Balancer = {
      originId,
      description: "Shop front",
      versions: [version(1, 60, "Standby idle", [100, 0]), version(2, 2, "Standby takes a fifth", [80, 20])],
      activations: [
        { network: "STAGING", ...active, atMs: at(59), lastsMs: lastsMs.STAGING },
        { network: "PRODUCTION", ...active, atMs: at(58), lastsMs: lastsMs.PRODUCTION },
      ],
    };
    return new Map([[originId, front]]);
  });

const balancerOf = (world: World, originId: string): Balancer =>
  orNotFound(state(world).get(originId), `There is no load balancer ${originId}`);
const versionOf = ({ originId, versions }: Balancer, version: number): Version =>
  foundIn(versions, { version }, `The load balancer ${originId} has no version ${version}`);

const balancerBody = (world: World, { originId, description, versions }: Balancer) => ({
  originId,
  type: "APPLICATION_LOAD_BALANCER",
  checksum: checksumOf(world, originId, description ?? "", JSON.stringify(versions.at(-1)?.content ?? null)),
  description,
});

/** What keeps a version from being activated. */
function problemsOf({ dataCenters = [], livenessSettings }: Content): string[] {
  const total = dataCenters.reduce((sum, { percent }) => sum + percent, 0);
  return [
    ...(Math.abs(total - 100) > 0.001 ? [`The data centers' percentages add up to ${total} instead of 100`] : []),
    ...(livenessSettings ? [] : ["There are no liveness settings"]),
  ];
}

const time = (ms: number): string => new Date(ms).toISOString();
function versionBody({ originId, activations }: Balancer, one: Version, isValidated = false) {
  return {
    originId,
    version: one.version,
    ...one.content,
    immutable: activations.some(({ version }) => version === one.version),
    createdBy: one.createdBy,
    createdDate: time(one.createdAtMs),
    lastModifiedBy: one.modifiedBy,
    lastModifiedDate: time(one.modifiedAtMs),
    ...(isValidated
      ? { warnings: problemsOf(one.content).map((detail) => ({ title: "Invalid version", detail })) }
      : {}),
  };
}

function activationBody(world: World, { originId, activations }: Balancer, one: Activation) {
  const inPlace = activations.filter(({ network }) => network === one.network);
  const status = standing(world, inPlace, one);
  const { network, version, by, atMs } = one;
  return { originId, network, version, status, activatedBy: by, activatedDate: time(atMs) };
}
const activationBodies = (world: World, balancer: Balancer) =>
  balancer.activations.toReversed().map((one) => activationBody(world, balancer, one));

type Given = { readonly [K in keyof Content]?: Content[K] | undefined };
function contentOf(given: Given): Content {
  const { balancingType, description, deleted = false, dataCenters, livenessSettings, ...others } = given;
  return { ...others, balancingType, description, deleted, dataCenters, livenessSettings };
}

export function createBalancer(world: World, originId: string, description: string | null | undefined) {
  if (state(world).has(originId)) throw conflict(`The origin ${originId} exists`);
  const balancer: Balancer = { originId, description: description ?? null, versions: [], activations: [] };
  state(world).set(originId, balancer);
  return created(balancerBody(world, balancer));
}

export const originBehaviours: BehavioursOf<typeof originOperations> = {
  edgelogic_origins_list: ({ query }, world) => {
    const balancers = [...state(world).values()].map((one) => balancerBody(world, one));
    const ofProperties = propertiesIn(world).flatMap((property) => originsOf(world, property.versions.at(-1)));
    const once = ofProperties.filter((one, at) => ofProperties.findIndex((o) => o.originId === one.originId) === at);
    const byType = { alb: balancers, customer: once, netstorage: [] };
    return ok(query.type === undefined ? [...balancers, ...once] : byType[query.type]);
  },

  edgelogic_origin_get: ({ path }, world) => ok(balancerBody(world, balancerOf(world, path.originId))),

  edgelogic_origin_create: ({ path, body }, world) => createBalancer(world, path.originId, body.description),

  edgelogic_origin_update: ({ path, body }, world) => {
    const balancer = balancerOf(world, path.originId);
    balancer.description = body.description === undefined ? balancer.description : body.description;
    return ok(balancerBody(world, balancer));
  },

  edgelogic_origin_versions_list: ({ path }, world) => {
    const balancer = balancerOf(world, path.originId);
    return ok(balancer.versions.toReversed().map((one) => versionBody(balancer, one)));
  },

  edgelogic_origin_version_create: ({ path, body }, world) => {
    const balancer = balancerOf(world, path.originId);
    const number = (balancer.versions.at(-1)?.version ?? 0) + 1;
    const version: Version = { version: number, content: contentOf(body), ...authored(world.now()) };
    balancer.versions.push(version);
    return created(versionBody(balancer, version));
  },

  edgelogic_origin_version_get: ({ path, query }, world) => {
    const balancer = balancerOf(world, path.originId);
    return ok(versionBody(balancer, versionOf(balancer, path.version), query.validate === true));
  },

  edgelogic_origin_version_update: ({ path, query, body }, world) => {
    const balancer = balancerOf(world, path.originId);
    const version = versionOf(balancer, path.version);
    if (balancer.activations.some((one) => one.version === version.version))
      throw invalid(`Version ${version.version} is immutable`, "version-immutable");
    version.content = contentOf(body);
    touch(world, version);
    return ok(versionBody(balancer, version, query.validate === true));
  },

  edgelogic_current_activations_list: (_, world) => {
    const active = [...state(world).values()].map((balancer) => {
      const bodies = activationBodies(world, balancer).filter(({ status }) => status === "active");
      return [balancer.originId, Object.fromEntries(bodies.map((one) => [one.network, one]))] as const;
    });
    return ok(Object.fromEntries(active.filter(([, networks]) => Object.keys(networks).length > 0)));
  },

  edgelogic_origin_activations_list: ({ path }, world) => ok(activationBodies(world, balancerOf(world, path.originId))),

  edgelogic_origin_activate: ({ path, body }, world) => {
    const balancer = balancerOf(world, path.originId);
    const { version, content } = versionOf(balancer, body.version);
    const [problem] = problemsOf(content);
    if (problem !== undefined) throw invalid(problem, "version-invalid");
    const { network, dryrun = false } = body;
    const isPending = activationBodies(world, balancer).some(
      (one) => one.network === network && one.version === version && one.status === "pending",
    );
    if (isPending) throw conflict(`Version ${version} is being activated on ${network}`);
    const activation: Activation = { network, version, by: userInUse, atMs: world.now(), lastsMs: lastsMs[network] };
    if (!dryrun) balancer.activations.push(activation);
    return ok({ ...activationBody(world, balancer, activation), dryrun });
  },
};
