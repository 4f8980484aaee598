/** Templates of guards: of changes to one kind of object, and ways to undo them. */
import { type Answered, type Arguments, type Guard, only, type Undo } from "./conduct.js";
import { memberAt } from "./member.js";
import { statement } from "./statement.js";

/** What a guard's functions receive. */
export type Seen = readonly [args: Arguments, present: unknown, related: Arguments];

type Clause = string | false | undefined;

/** A guard without what all guards of its kind of object share. */
interface Change extends Omit<Guard, "says"> {
  /** What comes of it, as a clause or several; see `Statement`. */
  readonly results?: (...seen: Seen) => Clause | readonly Clause[];
}

/**
 * Makes the guards of changes to one kind of object, each from its verb and what comes of it.
 * @param thing The noun for the object.
 * @param nameOf The object of a call in words.
 * @param target What an approver types to approve a critical call; the last path argument by default.
 */
export const guardsOf =
  (thing: string, nameOf: (...seen: Seen) => string, target?: Guard["target"]) =>
  (verb: string, { results, ...change }: Change): Guard => ({
    thing,
    ...(target && { target }),
    ...change,
    says: (...seen) => statement(verb, nameOf(...seen), ...[results?.(...seen)].flat()),
  });

/** An undo by another operation on the same object, which the named arguments find. */
export const reversal = (tool: string, ...names: readonly string[]): Undo => ({
  tool,
  args: ({ given }) => only(...names)(given),
});

/** An undo that removes the object that was created, whose id is a member of the response. */
export const removal = (tool: string, id: string): Undo => ({
  tool,
  made: ({ body }: Answered) => {
    const made = memberAt(body, id);
    return made === undefined ? undefined : { [id]: made };
  },
});
