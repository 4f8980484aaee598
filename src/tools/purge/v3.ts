/** Content purge of today (Fast Purge v3): URLs, CP codes and cache tags, without queues and without a status. */
import type { Check } from "../../language/check.js";
import type { Arguments, Guard } from "../../language/conduct.js";
import { json, op, writtenOut } from "../../language/define.js";
import { fieldProblem } from "../../language/failure.js";
import { act } from "../../language/guards.js";
import { memberAt } from "../../language/member.js";
import { closedObject } from "../../language/open-object.js";
import { service } from "../../language/service.js";
import { z } from "../../language/z.js";
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

const nouns = { url: "URL", cpcode: "CP code", tag: "cache tag" } as const;
const Kind = z.enum(["url", "cpcode", "tag"]);

function partsOf(args: Arguments) {
  const kind = Kind.parse(args["kind"]);
  const objects = memberAt(args, "body.objects") as readonly unknown[];
  return { kind, objects, noun: nouns[kind], isDeletion: args["action"] === "delete" };
}

const takes = {
  url: 'a URL or an ARL, because kind is "url"; for a number, use kind "cpcode"',
  cpcode: 'a CP code, which is a number and an item of its own, because kind is "cpcode"; for URLs, use kind "url"',
  tag: 'a cache tag without blanks and without the characters *,"(){}[]:;/\\@=<>?',
} as const;
const fits = {
  url: (object: unknown) => typeof object === "string" && !isNumber(object),
  cpcode: (object: unknown) => /^[1-9]\d{0,14}$/.test(String(object)),
  tag: (object: unknown) => typeof object === "string" && /^[^\s*,"(){}[\]:;/\\@=<>?]{1,128}$/.test(object),
} as const;

const objectsAreOfKind: Check = ({ args }) => {
  const { kind, objects } = partsOf(args);
  return objects.flatMap((object, index) =>
    fits[kind](object) ? [] : fieldProblem(`body.objects[${index}]`, object, takes[kind]),
  );
};

const covers = {
  url: (isOne: boolean) => (isOne ? "it" : "them"),
  cpcode: (isOne: boolean) => `everything under ${isOne ? "it" : "them"}`,
  tag: (isOne: boolean) => `every object that carries ${isOne ? "it" : "one of them"}, on all of the account's sites`,
} as const;

const purgeGuard: Guard = {
  kind: "purge",
  thing: "cached objects",
  undo: purgeUndo,
  counts: "body.objects",
  network: "network",
  critical: [
    { argument: "kind", unless: "url", because: "a CP code or a cache tag covers more objects than are named" },
    { argument: "action", unless: "invalidate", because: "deleted objects have to be fetched from the origin" },
  ],
  says: (args) => {
    const { kind, objects, noun, isDeletion } = partsOf(args);
    const where = `${objectsInWords(noun, objects)} on ${String(args["network"]).toUpperCase()}`;
    const covered = covers[kind](objects.length === 1);
    return isDeletion
      ? act`DELETE what is cached under ${where}: ${refetchWords(covered)}`
      : act`INVALIDATE ${where}: before the edge serves ${covered} again, it asks the origin for changes`;
  },
  target: (args) => purgeTarget(partsOf(args)),
  forecasts: (args) => {
    const { kind, objects, isDeletion } = partsOf(args);
    return purgeScope(args["network"], kind, objects, isDeletion);
  },
  warns: (args) => {
    const { kind, objects, isDeletion } = partsOf(args);
    const isWhole = kind !== "url" && isDeletion && args["network"] === "production";
    return [isWhole && wholeSiteWarning(nouns[kind]), doublesWarning(objects)];
  },
};

const Former = z.looseObject({
  queueName: z.unknown(),
  body: z.looseObject({
    objects: z.array(z.union([z.string(), z.number()])),
    action: z.enum(["remove", "invalidate"]).default("remove"),
    type: z.enum(["arl", "cpcode"]).default("arl"),
    domain: z.enum(["production", "staging"]).default("production"),
  }),
});

/** Only a call of the documents has a queue. */
function formerly(args: Arguments): Arguments | undefined {
  const { data } = Former.safeParse(args);
  if (!data || !Object.hasOwn(args, "queueName")) return undefined;
  const { objects, action, type, domain } = data.body;
  const isCpCode = type === "cpcode";
  return {
    action: action === "invalidate" ? action : "delete",
    kind: isCpCode ? type : "url",
    network: domain,
    body: { objects: isCpCode ? objects.map(Number) : objects },
  };
}

export const purgeV3 = service("purge", {
  name: "purge-v3",
  document: "today",
  title: "Content purge",
  about: "Invalidates or deletes cached objects by URL, CP code or cache tag, within seconds.",
  standing: { state: "alive" },
  rateLimit: {
    api: "Content purge",
    bucket: { burst: 100, perMinute: 3_000 },
    source: "https://techdocs.akamai.com/purge-cache/reference/rate-limiting",
  },
  replaces: {
    services: ["purge"],
    gone: {
      purge_queue_get: "Purges of today have no queue: call purge_submit; it takes effect within seconds.",
      purge_status:
        "Purges of today have no status: the response of purge_submit estimates the seconds after which it is done.",
    },
  },
  frontLine: ["purge_submit"],
  rules: {
    "purge-v3-201-only": "A purge request counts as accepted only when the response is 201.",
    "purge-v3-object-types": "CP codes are numbers; URLs, ARLs and cache tags are texts.",
  },
  operations: {
    // No overlay: the definition has six operations of one form, one for each action and kind, and types their objects by
    // kind, where the check of one operation says what was meant.
    purge_submit: op("POST /ccu/v3/{action}/{kind}/{network}", {
      does: "Purges cached objects by URL, CP code or cache tag: the edge asks the origin for changes (invalidate) or fetches them again (delete).",
      needs: "The response estimates when it is done; its progress cannot be read.",
      path: {
        action: writtenOut(z.enum(["invalidate", "delete"]).describe("invalidate spares the origin")),
        kind: writtenOut(Kind),
        network: z.enum(["production", "staging"]),
      },
      body: json(
        closedObject("it could purge more objects than are named", {
          objects: z
            .array(z.union([z.string().min(1), z.int().positive()]))
            .min(1)
            .max(10_000)
            .describe("URLs or ARLs, CP codes or cache tags"),
        }),
      ),
      returns: {
        201: json(Answer.extend({ purgeId: z.string().optional(), estimatedSeconds: z.number().optional() })),
      },
      effect: "destructive",
      checks: [objectsAreOfKind, fitsOneRequest],
      resolves: async ({ args }) => {
        const { kind, objects } = partsOf(args);
        return { values: kind === "cpcode" ? { body: { objects: objects.map(Number) } } : {}, notes: [] };
      },
      formerly,
      guard: purgeGuard,
      unseen: "The API shows neither what is cached nor whether a purge has finished.",
      rules: ["purge-v3-201-only", "purge-v3-object-types"],
      means: {
        403: "You may not purge one of the objects: the response's detail names it.",
        413: "The request is over 50,000 bytes: purge in several calls.",
      },
      note: "The limits of 50,000 bytes and of the characters of a cache tag are published by the vendor but not in the definition.",
      example: {
        action: "invalidate",
        kind: "url",
        network: "production",
        body: { objects: ["https://www.example.com/spring/hero.jpg"] },
      },
    }),
  },
});
