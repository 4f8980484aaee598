/** The purge service: two queues, and requests that become visible, run for a while, and are done. */
import { purge as declared } from "../../../tools/purge/index.js";
import { endOf, isOver, type Job } from "../../primitives/job.js";
import { seedsOf } from "../../primitives/seeds.js";
import { byId } from "../../primitives/store.js";
import { created, type ErrorFormat, ok, RequestRefusal } from "../../reply.js";
import { emulateService } from "../../service.js";
import { instant } from "../../values.js";
import { noiseNumber, type World } from "../../world.js";
import { userInUse } from "../account.js";
import { currentCpCodes, servedHosts } from "../properties/served.js";
import seeds from "./seeds.json" with { type: "json" };

type Queue = "default" | "emergency";
interface Request extends Job {
  readonly id: string;
  readonly queue: Queue;
  readonly objects: number;
  readonly queueLength: number;
  /** What it purges; absent for those of the initial world, whose caches have filled since. */
  readonly scope?: PurgeScope;
}

/** What a purge is about, in either generation of the API. */
export interface PurgeScope {
  readonly kind: "url" | "cpcode" | "tag";
  readonly objects: readonly string[];
  /** Whether the edge only asks the origin for changes. */
  readonly isValidation: boolean;
  readonly network: "production" | "staging";
}
/** A purge of production that has taken effect. */
export interface FinishedPurge extends PurgeScope {
  readonly atMs: number;
}

// The real service takes minutes; the transitions are the same but faster, so that a demo can wait for them.
const visibleAfterMs = 1_000;
const lastsMs = { default: 5_000, emergency: 2_000 } as const;
const capacity = { default: 10_000, emergency: 10 } as const;
const maxBodyBytes = 50_000;

export function checkSize(headers: Readonly<Record<string, string>>): void {
  if (Number(headers["content-length"]) > maxBodyBytes)
    throw new RequestRefusal(413, "request too large", `The request is over ${maxBodyBytes} bytes`);
}

/** The CP code of an ARL, its third part, with or without a leading host. */
const cpCodeOf = (arl: string): string => /^(?:https?:\/\/[^/]+)?\/\w\/\d+\/(\d+)\//.exec(arl)?.[1] ?? "";
const hostnameOf = (text: string): string => (URL.canParse(text) ? new URL(text).hostname : "");

const requests = (world: World): Map<string, Request> =>
  world.state("purge", () => byId(seedsOf<readonly Request[]>(seeds, world.startedAtMs)));

export const supportId = (world: World): string =>
  `17PY${world.next("purge support", 1_405_953_363_409_286)}-${world.next("purge thread", 284_546_144)}`;

/** The purge service's own error format (public facts A, 0.2; its next version has another media type). */
export const errorFormatOf =
  (version: "v2" | "v3", type: string): ErrorFormat =>
  ({ status, title, detail }, _, world) => {
    const kind = title.toLowerCase().replaceAll(" ", "-");
    const describedBy = `https://api.ccu.${world.vendor}.com/ccu/${version}/errors/${kind}`;
    return { body: { supportId: supportId(world), title, httpStatus: status, detail, describedBy }, type };
  };

const waiting = (world: World, queue: Queue): number =>
  [...requests(world).values()]
    .filter((request) => request.queue === queue && !isOver(world, request))
    .reduce((sum, { objects }) => sum + objects, 0);

/** Refuses objects that are not the account's; of cache tags that is not known. */
export function checkOwnership(world: World, type: string, objects: readonly (string | number)[]): void {
  const codes = new Set(currentCpCodes(world).map(({ id }) => id));
  const names = new Set(servedHosts(world).map(({ name }) => name));
  for (const object of objects.map(String)) {
    const isOwn = codes.has(type === "cpcode" ? object : cpCodeOf(object)) || names.has(hostnameOf(object));
    if (!isOwn) throw new RequestRefusal(403, `unauthorized ${type}`, object);
  }
}

/** An id in the form of a UUID, the same in every run. */
function purgeId(world: World): string {
  const number = world.next("purge id", 1);
  const hex = (word: string, length: number) => noiseNumber(world, length, "purge", word, number);
  return `${hex("a", 8)}-${hex("b", 4)}-11f1-${hex("c", 4)}-${hex("d", 12)}`;
}

/** Starts a purge, which the status then shows. */
export function startPurge(world: World, queue: Queue, scope: PurgeScope, queueLength: number): string {
  const id = purgeId(world);
  const objects = scope.objects.length;
  requests(world).set(id, { id, queue, objects, atMs: world.now(), lastsMs: lastsMs[queue], queueLength, scope });
  return id;
}

/** The purges that visitors of production have noticed, in the order in which they were begun. */
export const finishedPurges = (world: World): readonly FinishedPurge[] =>
  [...requests(world).values()].flatMap((request) =>
    request.scope?.network === "production" && isOver(world, request)
      ? [{ ...request.scope, atMs: endOf(request) }]
      : [],
  );

export const purge = emulateService(declared, errorFormatOf("v2", "application/api-problem+json"), {
  purge_queue_get: ({ path }, world) =>
    ok({
      supportId: supportId(world),
      httpStatus: 200,
      detail: "The queue may take a minute to reflect new or removed requests.",
      queueLength: waiting(world, path.queueName),
    }),

  purge_submit: ({ path: { queueName }, body, headers }, world) => {
    checkSize(headers);
    checkOwnership(world, body.type, body.objects);
    const queueLength = waiting(world, queueName);
    if (queueLength + body.objects.length > capacity[queueName])
      throw new RequestRefusal(
        507,
        "queue full",
        `The ${queueName} queue holds at most ${capacity[queueName]} objects`,
      );
    const scope = {
      kind: body.type === "cpcode" ? "cpcode" : "url",
      objects: body.objects.map(String),
      isValidation: body.action === "invalidate",
      network: body.domain,
    } as const;
    const id = startPurge(world, queueName, scope, queueLength);
    const progressUri = `/ccu/v2/purges/${id}`;
    return created(
      {
        estimatedSeconds: lastsMs[queueName] / 1000,
        progressUri,
        purgeId: id,
        supportId: supportId(world),
        httpStatus: 201,
        detail: "Request accepted.",
        pingAfterSeconds: 1,
      },
      { "content-location": progressUri },
    );
  },

  purge_status: ({ path }, world) => {
    const request = requests(world).get(path.purgeId);
    const common = { supportId: supportId(world), httpStatus: 200, purgeId: path.purgeId };
    if (!request || world.now() < request.atMs + visibleAfterMs)
      return ok({
        ...common,
        progressUri: `/ccu/v2/purges/${path.purgeId}`,
        detail:
          "Please note that it can take up to a minute for the status of a recently submitted request to become visible.",
        completionTime: null,
        submittedBy: null,
        purgeStatus: "Unknown",
        submissionTime: null,
        pingAfterSeconds: 1,
      });
    const isDone = isOver(world, request);
    return ok({
      ...common,
      originalEstimatedSeconds: lastsMs[request.queue] / 1000,
      originalQueueLength: request.queueLength,
      completionTime: isDone ? instant(endOf(request)) : null,
      submittedBy: userInUse,
      purgeStatus: isDone ? "Done" : "In-Progress",
      submissionTime: instant(request.atMs),
      ...(isDone ? {} : { pingAfterSeconds: 1 }),
    });
  },
});
