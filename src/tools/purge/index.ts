/** Content purge (document A): removing or invalidating what the edge has cached. */
import { json, op } from "../../language/define.js";
import { closedObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import { objectsAreOfType, purgeGuard } from "./guard.js";
import { purgeSafely } from "./prompt.js";

const Queue = z.enum(["default", "emergency"]);
const Answer = { supportId: z.string(), httpStatus: z.number(), detail: z.string().optional() };
const QueueSize = z.looseObject({ ...Answer, queueLength: z.number() });
const PurgeAccepted = z.looseObject({
  ...Answer,
  purgeId: z.string(),
  progressUri: z.string(),
  estimatedSeconds: z.number(),
  pingAfterSeconds: z.number(),
});
const Accepted = z.looseObject({ purgeId: z.string().min(1) });
const PollDelay = z.looseObject({ pingAfterSeconds: z.number() });
const State = z.looseObject({ purgeStatus: z.string() });
const PurgeStatus = z.looseObject({
  ...Answer,
  purgeId: z.string(),
  progressUri: z.string().optional(),
  purgeStatus: z.string().describe("In-Progress, Done, or Unknown for an id that is not visible yet"),
  submittedBy: z.string().nullable(),
  submissionTime: z.string().nullable(),
  completionTime: z.string().nullable().describe("Null until done"),
  ...members(z.number().optional(), "originalEstimatedSeconds", "originalQueueLength", "pingAfterSeconds"),
});

export const purge = service("purge", {
  name: "purge",
  document: "A",
  title: "Content purge",
  about: "Removes or invalidates cached objects and reports the progress of a purge.",
  standing: { state: "superseded", successor: "Fast Purge v3 (/ccu/v3)" },
  frontLine: ["purge_submit", "purge_status"],
  rules: {
    "purge-201-only": "A purge request counts as accepted only when the response is 201.",
    "purge-two-queues": "There are two queues, default and emergency.",
    "purge-defaults": "Without action, type and domain a purge removes ARLs from production.",
    "purge-status-moves": "A new purge id may be Unknown for a while, then In-Progress, then Done.",
    "purge-completion-null": "completionTime is null until the purge is done.",
  },
  prompts: [purgeSafely],
  operations: {
    purge_queue_get: op("GET /ccu/v2/queues/{queueName}", {
      does: "Returns the number of purge requests waiting in a queue. It may lag by a minute.",
      path: { queueName: Queue },
      returns: { 200: json(QueueSize) },
      rules: ["purge-two-queues"],
      example: { queueName: "default" },
    }),
    purge_submit: op("POST /ccu/v2/queues/{queueName}", {
      does: "Queues a purge: `remove` deletes objects from the edge caches, `invalidate` marks them stale so that the edge revalidates with the origin.",
      needs: "Poll purge_status with the returned purgeId.",
      path: { queueName: Queue },
      body: json(
        closedObject("it could purge more than is named", {
          objects: z
            .array(z.union([z.string().min(1), z.int().positive()]))
            .min(1)
            .max(10_000)
            .describe("URLs or ARLs, or CP codes when type is cpcode"),
          action: z
            .enum(["remove", "invalidate"])
            .default("remove")
            .describe("Prefer invalidate: it spares the origin"),
          type: z.enum(["arl", "cpcode"]).default("arl"),
          domain: z.enum(["production", "staging"]).default("production").describe("Network"),
        }),
      ),
      returns: { 201: json(PurgeAccepted) },
      effect: "destructive",
      checks: [objectsAreOfType],
      guard: purgeGuard,
      shownBy: "purge_queue_get",
      awaits: {
        status: "purge_status",
        follow: ({ body }) => {
          const { data } = Accepted.safeParse(body);
          return data && { purgeId: data.purgeId };
        },
        isReady: ({ body }) => State.safeParse(body).data?.purgeStatus === "Done",
        state: ({ body }) => State.safeParse(body).data?.purgeStatus ?? "",
        pauseSeconds: ({ body }) => PollDelay.safeParse(body).data?.pingAfterSeconds,
      },
      rules: ["purge-201-only", "purge-two-queues", "purge-defaults"],
      means: {
        403: "An object is not yours to purge: the response's detail names it.",
        413: "The request is over 50,000 bytes: purge in several calls.",
        507: "The queue is full: wait until purge_queue_get shows room.",
      },
      note: "Limits of 10,000 objects (default) and 10 (emergency) and of 50,000 bytes are public facts, not in the document.",
      example: {
        queueName: "default",
        body: { objects: ["https://www.example.com/spring/hero.jpg"], action: "invalidate" },
      },
    }),
    purge_status: op("GET /ccu/v2/purges/{purgeId}", {
      does: "Reports whether a purge is done.",
      needs: "The purgeId that purge_submit returned. An unknown or very recent id returns Unknown, not an error.",
      path: { purgeId: z.string().min(1) },
      returns: { 200: json(PurgeStatus) },
      rules: ["purge-status-moves", "purge-completion-null"],
      example: { purgeId: "57799d8b-10e4-11f1-9088-62ece60caaf0" },
    }),
  },
});
