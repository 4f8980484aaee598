/**
 * Law over the catalogue: what grants access, widens reach, adds a destination of data or ends on production is guarded,
 * or stands below with a reason. What a call may do is read off its route and its arguments, never off its guard.
 */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { isDestination } from "../../src/language/destination.js";
import { guardOf, isRead } from "../../src/language/effect.js";
import type { Apis } from "../../src/language/service.js";
import { z } from "../../src/language/z.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";
import { formsIn } from "../lab/forms.js";
import { holdsForEach } from "../lab/laws.js";
import { operationsIn } from "../lab/project.js";
import { promise } from "../lab/rules.js";
import { paragraphsOf } from "../lab/tables.js";

const writesOf = async (generation: Apis) =>
  operationsIn(await allServices(generation)).filter(([, operation]) => !isRead(operation));
const today = await writesOf("today");
// Where both generations have a tool of one name, the documents' is judged: today's guards no less, as the last law holds.
const byName = new Map([...today, ...(await writesOf("documents"))]);
const writes = [...byName];
const isGuarded = (tool: string) => guardOf(byName.get(tool) as AnyOperation) !== undefined;

type Sign = "access" | "destination" | "production";

const words: Readonly<Record<Sign, RegExp>> = {
  access:
    /user(?!agent)|role|grant|permi|access|identit|password|credential|token|tfa|lock|allow|invit|shar|member|customer|owner|admin|list|restrict|securit|^keys?$|tsig/i,
  destination:
    /mail|recipient|notif|hook|callback|forward|deliver|redirect|origin|host|url|ftp|machine|addr|sink|upload/i,
  // What is written to a DNS zone is answered to resolvers at once.
  production:
    /prod(?!uct)|(?<!de)activ|deploy|network|environment|publish|live|secure-edge|edgehostname|acknowledg|config-dns/i,
};

/** The names of all members of a schema, at any depth, with the values that it lists, and whether any is a destination. */
const seenIn = (root: z.ZodType) => {
  const forms = [...formsIn(root)];
  const texts = forms.flatMap((form) => {
    if (form instanceof z.ZodObject) return Object.keys(form.shape);
    return form instanceof z.ZodEnum ? form.options.map(String) : [];
  });
  return { texts: new Set(texts), isMarked: forms.some(isDestination) };
};

/** Ids that say where something is, and arguments of ours; what they are called tells nothing of the call. */
const isPlace = (text: string): boolean =>
  /^(?:group|contract|product|network)Ids?$|^(?:confirm|wait|override)$/.test(text);

function signsOf({ route, spec, ...operation }: AnyOperation): Sign[] {
  const { texts, isMarked } = seenIn(argumentsSchema({ route, spec, ...operation }));
  const literal = route
    .replace(/\{[^}]*\}/g, "")
    .split(/[/?=& ]+/)
    .slice(1);
  const all = [...literal, ...[...texts].filter((text) => !isPlace(text))];
  const found = (Object.keys(words) as Sign[]).filter((sign) => all.some((text) => words[sign].test(text)));
  const reaches = isMarked || spec.sendsTo !== undefined;
  return reaches && !found.includes("destination") ? [...found, "destination"] : found;
}

/** Every change that needs no approval, and why. */
const free = paragraphsOf("catalogue/free-changes.txt").map(({ heading, lines }) => {
  const wordsIn = (of: (line: string) => boolean) =>
    lines.filter(of).flatMap((line) => line.replace(/^[a-z ]+: /, "").split(" "));
  return {
    why: heading,
    /** The signs that it answers. */
    answers: wordsIn((line) => line.startsWith("answers: ")),
    /** The calls without which nothing comes of these; they have to be guarded. */
    endsWith: wordsIn((line) => line.startsWith("ends with: ")),
    tools: wordsIn((line) => !line.includes(": ")),
  };
});

const listed = free.flatMap(({ tools }) => tools);

it(promise("free-changes-have-reasons", "changes without approval are listed with a reason, and no others"), () => {
  expect([...listed].sort()).toEqual(
    writes
      .map(([tool]) => tool)
      .filter((tool) => !isGuarded(tool))
      .sort(),
  );
});

it("a change without approval: its reason answers all that it does", () =>
  holdsForEach(free, (reason) => {
    const { tools, answers, endsWith } = reason;
    for (const tool of tools) {
      const signs = signsOf(byName.get(tool) as AnyOperation);
      expect([tool, signs.filter((sign) => !answers.includes(sign))]).toEqual([tool, []]);
    }
    for (const tool of endsWith) expect([tool, isGuarded(tool)]).toEqual([tool, true]);
  }));

it("the signs are seen in every write, where its guard says so", () =>
  holdsForEach(
    writes.filter(([tool]) => isGuarded(tool)),
    (_, operation) => {
      const guard = guardOf(operation);
      const signs = signsOf(operation);
      if (guard?.kind === "access" || guard?.kind === "credential") expect(signs).toContain("access");
      if (guard?.kind === "activate" || guard?.network === "PRODUCTION") expect(signs).toContain("production");
      if (guard?.when === "sending") expect(signs).toContain("destination");
    },
  ));

it("a tool of today is guarded if the documents' tool of its name is", () => {
  const bare = today.filter(([, operation]) => guardOf(operation) === undefined).map(([tool]) => tool);
  expect(bare.filter(isGuarded)).toEqual([]);
});
