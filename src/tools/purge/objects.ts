/**
 * What the purges of the documents and of today share: how objects are named, how many fit one request, and that they
 * cannot be restored.
 */
import type { Check } from "../../language/check.js";
import type { Guard } from "../../language/conduct.js";
import type { CacheScope } from "../../language/forecast.js";
import { memberAt } from "../../language/member.js";
import { listInWords } from "../../language/words.js";
import { z } from "../../language/z.js";

export const isNumber = (object: unknown): boolean => /^\d+$/.test(String(object));

const inWords = (object: unknown): string =>
  typeof object === "string" && !isNumber(object) ? JSON.stringify(object) : String(object);

/** Objects in a sentence, limited to the first ones. */
export const objectsInWords = (noun: string, objects: readonly unknown[]): string =>
  `${noun}${objects.length === 1 ? "" : "s"} ${listInWords(objects, inWords)}`;

/** The target of a purge in a list of plans. */
export const purgeTarget = ({
  noun,
  objects,
}: {
  readonly noun: string;
  readonly objects: readonly unknown[];
}): string => (objects.length === 1 ? String(objects[0]) : `${objects.length.toLocaleString("en-US")} ${noun}s`);

/** What a purge reaches, for its forecast. */
export const purgeScope = (
  network: unknown,
  kind: CacheScope["objects"]["kind"],
  objects: readonly unknown[],
  isDeletion: boolean,
): CacheScope => ({
  change: "purge",
  network: network === "staging" ? "staging" : "production",
  objects: { kind, values: objects.map(String) },
  isDeletion,
});

/** What comes of removing objects, in words that stand for them. */
export const refetchWords = (them: string): string =>
  `the edge fetches ${them} from the origin again, and what the origin cannot deliver is not served`;

/** The warning on what can hold a whole site. */
export const wholeSiteWarning = (noun: string): string =>
  `A ${noun} can hold a whole site. Until the cache is filled again, every request for it reaches the origin.`;

/** The warning on objects that are listed more than once; false if there are none. */
export function doublesWarning(objects: readonly unknown[]): string | false {
  const doubles = objects.length - new Set(objects.map(String)).size;
  return doubles > 0 && `${doubles === 1 ? "1 object is" : `${doubles} objects are`} listed more than once.`;
}

// The service publishes the limit (techdocs.akamai.com/purge-cache/reference/rate-limiting) and answers a longer body with
// 413; neither the document nor the definition states it.
const maxBodyBytes = 50_000;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Refuses a body that is over the limit as JSON, with the number of objects that fit one request. */
export const fitsOneRequest: Check = ({ args }) => {
  const body = args["body"] as Readonly<Record<string, unknown>>;
  const total = bytesOf(body);
  if (total <= maxBodyBytes) return [];
  const objects = memberAt(args, "body.objects") as readonly unknown[];
  // All objects but the last are followed by a comma.
  let left = maxBodyBytes - bytesOf({ ...body, objects: [] }) + 1;
  const fitting = objects.findIndex((object) => {
    left -= bytesOf(object) + 1;
    return left < 0;
  });
  const split =
    fitting === 0
      ? "the first object alone is too long"
      : `the first ${fitting} of the ${objects.length} objects fit, so purge the others in further calls`;
  return [
    {
      field: "body.objects",
      given: `a body of ${total.toLocaleString("en-US")} bytes`,
      takes: `what makes a body of at most ${maxBodyBytes.toLocaleString("en-US")} bytes of JSON: ${split}`,
    },
  ];
};

export const purgeUndo: NonNullable<Guard["undo"]> = {
  never: "Purged objects cannot be restored, but the edge fetches them from the origin again at the next request.",
};

/** The members that every answer of the purge service has. */
export const Answer = z.looseObject({
  supportId: z.string(),
  httpStatus: z.number(),
  detail: z.string().optional(),
});
