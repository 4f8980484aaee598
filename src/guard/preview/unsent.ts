/** Warnings of what a body has otherwise than it is there, and does not set: it could be taken for a change. */
import type { CheckedArguments } from "../../api/arguments.js";
import { fieldOf, memberAt } from "../../api/member.js";
import { canonical } from "../canonical.js";
import { written } from "./text.js";

const maxUnsent = 3;

/**
 * One warning for each of the first such members.
 * @param seen The arguments as they were given, without their secrets.
 * @param present The state, without its secrets.
 */
export function unsentWarnings({ leftOut = [] }: CheckedArguments, seen: unknown, present: unknown): string[] {
  const others = leftOut.filter(([, ...path]) => {
    const now = memberAt(present, path);
    return now !== undefined && canonical(now) !== canonical(memberAt(seen, ["body", ...path]));
  });
  const more = others.length - maxUnsent;
  return [
    ...others.slice(0, maxUnsent).map((path) => {
      const [given, now] = [memberAt(seen, path), memberAt(present, path.slice(1))].map((one) => written(one));
      return `${fieldOf(path)} is ${given} here and ${now} there: the API sets it itself, so it is not sent and does not change.`;
    }),
    ...(more > 0 ? [`${more} more such members differ.`] : []),
  ];
}
