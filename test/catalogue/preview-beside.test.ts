/** What a write sends in addition to the value that it replaces takes part in the preview's comparison. */
import { expect, it } from "vitest";
import { argumentsSchema } from "../../src/arguments/index.js";
import { describe } from "../../src/guard/preview.js";
import { describedBy } from "../../src/language/effect.js";
import { isRecord, memberAt, withMember } from "../../src/language/member.js";
import { checkedWith } from "../lab/checked.js";
import { holdsForEach } from "../lab/laws.js";
import { servicesOfProject } from "../lab/project.js";

// They steer the call itself, or find the object, as they do when the state is read.
const neutral = new Set([
  "confirm",
  "wait",
  "allPages",
  "format",
  "override",
  "contractId",
  "groupId",
  "validateRules",
]);
const request = { method: "PUT", url: new URL("https://h.example/"), headers: {} } as never;
const operations = (await servicesOfProject()).flatMap((service) =>
  Object.entries(service.operations).filter(([, one]) => describedBy(one).replaces !== undefined),
);
const summaryOf = (tool: string, operation: (typeof operations)[number][1], values: object, body: unknown) => {
  const asked = { contractId: "c", groupId: "g", validateRules: false };
  const args = checkedWith({ values: values as never, body: memberAt(values, "body") });
  return describe(tool, operation, args, request, "a", { body, schemas: [], asked }).facts.summary;
};
/** The arguments of a call that are neither in its path nor in the replaced value nor a stamp. */
function othersOf(operation: (typeof operations)[number][1]): string[] {
  const { path = {}, lock, example } = operation.spec;
  const { replaces = "" } = describedBy(operation);
  const own = Object.keys(argumentsSchema(operation).shape).filter((name) => name !== "body" && !neutral.has(name));
  const body = memberAt(example, "body");
  const inBody = replaces === "body" || !isRecord(body) ? [] : [...Object.keys(body), "comments"];
  return [...own.filter((name) => !Object.hasOwn(path, name)), ...inBody.map((name) => `body.${name}`)].filter(
    (name) => name !== replaces && ![lock?.field, lock?.at].includes(name),
  );
}

it("nothing changes only where nothing else is sent", () =>
  holdsForEach(operations, (tool, operation) => {
    const { example } = operation.spec;
    const place = (describedBy(operation).replaces ?? "").split(".");
    const value = memberAt(example, place);
    const state = place.length > 1 ? withMember({}, place.slice(1), value) : value;
    for (const name of othersOf(operation)) {
      const altered = withMember(example, name.split("."), "another") as object;
      expect(summaryOf(tool, operation, altered, state), name).not.toContain("nothing changes");
      const [last = ""] = name.split(".").slice(-1);
      const shown = { ...(state as object), [last]: "former" };
      expect(summaryOf(tool, operation, altered, shown), name).not.toContain("nothing changes");
    }
  }));
