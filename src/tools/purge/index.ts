/** Content purge (document A): removing or invalidating what the edge has cached. */
import type { Check } from "../../language/check.js";
import type { Arguments, Guard } from "../../language/conduct.js";
import { json, op } from "../../language/define.js";
import { fieldProblem } from "../../language/failure.js";
import { act } from "../../language/guards.js";
import { memberAt, numberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
import { members } from "../fields.js";
import {
  Answer,
  doublesWarning,
  fitsOneRequest,
  isNumber,
  objectsInWords,
  purgeScope,
  purgeTarget,
  purgeUndo,
  refetchWords,
  wholeSiteWarning,
} from "./objects.js";

function partsOf(args: Arguments) {
  const objects = memberAt(args, "body.objects") as readonly unknown[];
  const isCpCode = memberAt(args, "body.type") === "cpcode";
  const noun = isCpCode ? "CP code" : "URL";
  return { objects, isCpCode, noun, named: objectsInWords(noun, objects) };
}

/** The API refuses the whole purge when a number is given as a URL or a text as a CP code. */
const objectsAreOfType: Check = ({ args }) => {
  const { objects, isCpCode } = partsOf(args);
  return objects.flatMap((object, index) => {
    if (isNumber(object) === isCpCode) return [];
    const takes = isCpCode
      ? 'a CP code, which is a number, because type is "cpcode"; for URLs, use type "arl"'
      : 'a URL or an ARL, because type is "arl"; did you mean type "cpcode"?';
    return fieldProblem(`body.objects[${index}]`, object, takes);
  });
};

// The limits that the service publishes; the document does not state them.
const maxObjects = { default: 10_000, emergency: 10 } as const;

const purgeGuard: Guard = {
  kind: "purge",
  thing: "cached objects",
  undo: purgeUndo,
  counts: "body.objects",
  network: "body.domain",
  critical: [
    { argument: "body.type", unless: "arl", because: "a CP code covers everything cached under it" },
    { argument: "body.action", unless: "invalidate", because: "removed objects have to be fetched from the origin" },
  ],
  says: (args) => {
    const { isCpCode, objects, named } = partsOf(args);
    const network = String(memberAt(args, "body.domain")).toUpperCase();
    const where = `${named} on ${network} through the ${String(args["queueName"])} queue`;
    const isOne = objects.length === 1;
    const them = isOne ? "it" : "them";
    if (memberAt(args, "body.action") !== "invalidate")
      return act`REMOVE ${where}: ${refetchWords(isCpCode ? `everything under ${them}` : them)}`;
    const any = isOne ? "it" : "any of them";
    const covered = isCpCode ? `anything under ${them}` : any;
    return act`INVALIDATE ${where}: before ${covered} is served again, the origin is asked whether it has changed`;
  },
  target: (args) => purgeTarget(partsOf(args)),
  forecasts: (args) => {
    const { isCpCode, objects } = partsOf(args);
    const isDeletion = memberAt(args, "body.action") !== "invalidate";
    return purgeScope(memberAt(args, "body.domain"), isCpCode ? "cpcode" : "url", objects, isDeletion);
  },
  warns: (args) => {
    const { objects, isCpCode } = partsOf(args);
    const queue = args["queueName"] === "emergency" ? "emergency" : "default";
    const isWhole = memberAt(args, "body.action") !== "invalidate" && memberAt(args, "body.domain") === "production";
    return [
      isCpCode && isWhole && wholeSiteWarning("CP code"),
      doublesWarning(objects),
      objects.length > maxObjects[queue] &&
        `The ${queue} queue takes at most ${maxObjects[queue]} objects, so the API may refuse this purge.`,
    ];
  },
};

const Queue = z.enum(["default", "emergency"]);

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
  operations: {
    purge_queue_get: op("GET /ccu/v2/queues/{queueName}", {
      does: "Returns the number of purge requests waiting in a queue. It may lag by a minute.",
      path: { queueName: Queue },
      returns: { 200: json(Answer.extend({ queueLength: z.number() })) },
      rules: ["purge-two-queues"],
      example: { queueName: "default" },
    }),
    purge_submit: op("POST /ccu/v2/queues/{queueName}", {
      does: "Queues a purge: `remove` deletes objects from the edge caches, `invalidate` marks them stale so that the edge revalidates with the origin.",
      needs: "Poll purge_status with the returned purgeId.",
      path: { queueName: Queue },
      body: json(
        closedObject("it could purge more objects than are named", {
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
      returns: {
        201: json(
          Answer.extend({
            ...members(z.string(), "purgeId", "progressUri"),
            ...members(z.number(), "estimatedSeconds", "pingAfterSeconds"),
          }),
        ),
      },
      effect: "destructive",
      checks: [objectsAreOfType, fitsOneRequest],
      guard: purgeGuard,
      shownBy: { by: "purge_queue_get", isBound: false },
      awaits: {
        status: "purge_status",
        follow: ({ body }) => {
          const purgeId = memberAt(body, "purgeId");
          return typeof purgeId === "string" && purgeId !== "" ? { purgeId } : undefined;
        },
        isReady: ({ body }) => memberAt(body, "purgeStatus") === "Done",
        state: ({ body }) => String(memberAt(body, "purgeStatus") ?? ""),
        pauseSeconds: ({ body }) => numberAt(body, "pingAfterSeconds"),
      },
      rules: ["purge-201-only", "purge-two-queues", "purge-defaults"],
      means: {
        403: "You may not purge one of the objects: the response's detail names it.",
        413: "The request is over 50,000 bytes: purge in several calls.",
        507: "The queue is full: wait until purge_queue_get shows room.",
      },
      note: "The limits of 10,000 objects (default queue), 10 objects (emergency queue) and 50,000 bytes are published by the vendor but not in the document.",
      example: {
        queueName: "default",
        body: { objects: ["https://www.example.com/spring/hero.jpg"], action: "invalidate" },
      },
    }),
    purge_status: op("GET /ccu/v2/purges/{purgeId}", {
      does: "Reports whether a purge is done.",
      needs: "The purgeId that purge_submit returned. An unknown or very recent id returns Unknown, not an error.",
      path: { purgeId: z.string().min(1) },
      returns: {
        200: json(
          Answer.extend({
            purgeId: z.string(),
            progressUri: z.string().optional(),
            purgeStatus: z.string().describe("In-Progress, Done, or Unknown for an id that is not visible yet"),
            ...members(z.string().nullable(), "submittedBy", "submissionTime"),
            completionTime: z.string().nullable().describe("Null until done"),
            ...members(z.number().optional(), "originalEstimatedSeconds", "originalQueueLength", "pingAfterSeconds"),
          }),
        ),
      },
      rules: ["purge-status-moves", "purge-completion-null"],
      example: { purgeId: "57799d8b-10e4-11f1-9088-62ece60caaf0" },
    }),
  },
});
