/** What a person has to know of a purge before they approve it, and the mistakes that are refused before. */
import type { Check } from "../../language/check.js";
import type { Arguments, Guard } from "../../language/conduct.js";
import { problem } from "../../language/failure.js";
import { memberAt } from "../../language/member.js";
import { listed, told } from "../../language/words.js";

const nouns = { arl: "URL", cpcode: "CP code" } as const;
const isNumber = (object: unknown): boolean => /^\d+$/.test(String(object));

function partsOf(args: Arguments) {
  const objects = memberAt(args, "body.objects") as readonly unknown[];
  const isCpCode = memberAt(args, "body.type") === "cpcode";
  const noun = nouns[isCpCode ? "cpcode" : "arl"];
  const words = (object: unknown) =>
    typeof object === "string" && !isNumber(object) ? JSON.stringify(object) : String(object);
  const named = `${noun}${objects.length === 1 ? "" : "s"} ${listed(objects, words)}`;
  return { objects, isCpCode, noun, named };
}

/** The types are mixed up where numbers are to be URLs, or texts CP codes; the API would refuse the whole purge. */
export const objectsAreOfType: Check = ({ args }) => {
  const { objects, isCpCode } = partsOf(args);
  return objects.flatMap((object, index) => {
    if (isNumber(object) === isCpCode) return [];
    const takes = isCpCode
      ? 'a CP code, which is a number, because type is "cpcode"; URLs have the type "arl"'
      : 'a URL or an ARL, because type is "arl"; did you mean type "cpcode"?';
    return problem(`body.objects[${index}]`, object, takes);
  });
};

// Public limits of the service; the document does not name them.
const maxObjects = { default: 10_000, emergency: 10 } as const;

export const purgeGuard: Guard = {
  kind: "purge",
  thing: "cached objects",
  undo: {
    never: "What was purged is not put back, but the edge fetches it again from the origin when somebody asks for it.",
  },
  counts: "body.objects",
  network: "body.domain",
  boundTo: "request",
  critical: [
    { argument: "body.type", unless: "arl", because: "a CP code stands for everything that is cached under it" },
    { argument: "body.action", unless: "invalidate", because: "what is removed has to be fetched from the origin" },
  ],
  says: (args) => {
    const { isCpCode, objects, named } = partsOf(args);
    const network = String(memberAt(args, "body.domain")).toUpperCase();
    const where = `${named} on ${network} through the ${String(args["queueName"])} queue`;
    const them = `${isCpCode ? "everything under " : ""}${objects.length === 1 ? "it" : "them"}`;
    const any = isCpCode
      ? `anything under ${objects.length === 1 ? "it" : "them"}`
      : objects.length === 1
        ? "it"
        : "any of them";
    return memberAt(args, "body.action") === "invalidate"
      ? `INVALIDATE ${where}: before ${any} is served again, the origin is asked whether it has changed`
      : `REMOVE ${where}: the origin will be asked for ${them}, and what it cannot deliver is not served`;
  },
  target: (args) => {
    const { objects, noun } = partsOf(args);
    return objects.length === 1 ? String(objects[0]) : `${objects.length.toLocaleString("en-US")} ${noun}s`;
  },
  warns: (args) => {
    const { objects, isCpCode } = partsOf(args);
    const queue = args["queueName"] === "emergency" ? "emergency" : "default";
    const isWhole = memberAt(args, "body.action") !== "invalidate" && memberAt(args, "body.domain") === "production";
    const doubles = objects.length - new Set(objects.map(String)).size;
    return told(
      isCpCode &&
        isWhole &&
        "A CP code can hold a whole site. Until the cache is filled again, every request for it reaches the origin.",
      doubles > 0 && `${doubles === 1 ? "1 object is" : `${doubles} objects are`} listed more than once.`,
      objects.length > maxObjects[queue] &&
        `The ${queue} queue is known to take ${maxObjects[queue]} objects at most, so the API may refuse this purge.`,
    );
  },
};
