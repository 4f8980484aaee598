/** The form of a service's guide. */
import { z } from "./z.js";

const text = z.string().min(1);
const optional = text.exactOptional();

/** A transition in a life cycle, caused by a tool or something else. */
const move = z.strictObject({
  // The state before; absent for a creation.
  from: optional,
  // The state after; absent for a removal.
  to: optional,
  // The tool that causes the transition.
  by: optional,
  // The cause if it is not a tool, or the condition under which the tool causes it.
  when: optional,
});

const life = z.strictObject({
  // The noun for the object, with its article.
  of: text,
  // The tool whose response has the state, and the path of the field; absent if the API does not report it.
  shown: z.strictObject({ by: text, at: text }).exactOptional(),
  moves: z.array(move),
});

/** The form of a guide. Words in backticks are tools, fields or values of the declarations. */
export const guideForm = z.strictObject({
  // A few sentences on the use of the service, how its objects relate, and pitfalls.
  purpose: text,
  // Its main objects, keyed by their nouns in the names of tools.
  objects: z.record(text, text),
  lives: z.array(life),
  // The ids of rules, and the tools with notes, that state limits or omissions.
  limits: z.array(text).exactOptional(),
});

/** The written part of a service's guide. */
export type Guide = z.infer<typeof guideForm>;

/** The life cycle of a kind of object: its states and the transitions between them. */
export type Life = z.infer<typeof life>;

/** The states of a life cycle, in the order of its transitions. */
export const statesOf = ({ moves }: Life): readonly string[] => [
  ...new Set(moves.flatMap(({ from, to }) => [from, to]).filter((state) => state !== undefined)),
];
