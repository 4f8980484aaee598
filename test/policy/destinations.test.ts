/** Laws over the catalogue: what its name calls a mail address or a host is marked as a destination, or said to be none. */
import { expect, it } from "vitest";
import type { AnyOperation } from "../../src/language/define.js";
import { destination, destinationsIn, isDestination } from "../../src/language/destination.js";
import { isRead } from "../../src/language/effect.js";
import { isUnsent } from "../../src/language/read-only.js";
import { contentsOf, formsOf } from "../../src/language/shape.js";
import { z } from "../../src/language/z.js";
import { argumentsSchema } from "../../src/schema/arguments.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";
import { holdsForEach } from "../lab/laws.js";

const services = await allServices("documents");
const operations = services.flatMap((service) => Object.entries<AnyOperation>(service.operations));
const workflows = await allWorkflows();

/** Members whose name or description suggests a mail address, but which send nothing to one, and why. */
const known: Readonly<Record<string, string>> = {
  sendEmail: "sends mail to the address that the user has, and to no other",
  enableEmailNotifications: "switches mail to the user's own address on or off",
};

interface Member {
  readonly name: string;
  readonly schema: z.ZodType;
}

/** Every named member of a schema, at any depth. */
function membersOf(root: z.ZodType): Member[] {
  const found: Member[] = [];
  const seen = new Set<z.ZodType>();
  const visit = (at: z.ZodType) => {
    if (seen.has(at)) return;
    seen.add(at);
    for (const form of formsOf(at)) {
      if (form instanceof z.ZodObject)
        // What is not sent leads nowhere.
        for (const [name, member] of Object.entries(form.shape))
          if (!isUnsent(formsOf(member as z.ZodType))) found.push({ name, schema: member as z.ZodType });
      contentsOf(form).forEach(visit);
    }
  };
  visit(root);
  return found;
}

const suspects = (schema: z.ZodType): Member[] =>
  membersOf(schema).filter(({ name, schema: member }) => {
    const said = formsOf(member).map((form) => form.description);
    return /e-?mail|recipient|addresses to notify/i.test(`${name} ${said.join(" ")}`);
  });
const unmarked = (schema: z.ZodType): string[] =>
  suspects(schema)
    .filter(({ schema: member }) => !isDestination(member))
    .map(({ name }) => name);

it("each mail address of a workflow is marked, or known not to be one", () =>
  holdsForEach(workflows, (_, { input }) => {
    expect(unmarked(input).filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  }));

it("each mail address of an operation is marked, or known not to be one", () => {
  const names = new Set(operations.flatMap(([, operation]) => unmarked(argumentsSchema(operation))));
  expect([...names].sort()).toEqual(Object.keys(known).sort());
  expect(operations.filter(([, one]) => suspects(argumentsSchema(one)).length > 0).length).toBeGreaterThan(15);
});

/** What data could be sent to by its name: a host, an address, or what stands for one. */
const hostLike =
  /host|ur[il]$|domain|origin|server|machine|bucket|endpoint|webhook|callback|ftp|target|forward|redirect|location$|ip(?:v\d)?-?addr|-ip$|exit|alias/i;

/** Members whose name suggests a host, but to which the API sends nothing, and why. */
const knownHosts: Readonly<Record<string, string>> = {
  "archive-storage-location": "is one of the vendor's own storages, from a list",
  "backup-encoder-ip": "is where a stream comes from",
  cnameHostname: "is the name of a site that a certificate or an edge hostname is made for",
  domain: "is the name of a live domain, in the path",
  domainPrefix: "begins the name of an edge hostname, which is the vendor's own; that of a storage host is marked",
  domainSuffix: "ends the name of an edge hostname, which is the vendor's own",
  edgeHostnameId: "is the id of an edge hostname, which is the vendor's own",
  hostHeader: "is sent to a data center, whose host is marked, and leads to none itself",
  hostname: "is the name under which a stream is served; that of a data center is marked",
  ipAddr: "is where the requests of a site come from",
  matchURL: "says which requests a rule is about",
  originId: "is the id of an origin, whose host stands in a rule tree and is found there by its name",
  originserver: "is the name of a name server in a zone, which resolvers are told",
  "primary-encoder-ip": "is where a stream comes from",
  redirectURL: "is told to visitors, who go there by themselves or do not",
  target: "is what resolvers are told of a name in a zone",
  url: "is what a diagnosis asks about",
};

/** The members of a change that hold texts of any kind, by their names. */
function textsIn(operation: AnyOperation): Member[] {
  if (isRead(operation)) return [];
  const holdsText = (schema: z.ZodType): boolean =>
    formsOf(schema).some(
      (form) =>
        form instanceof z.ZodString ||
        (form instanceof z.ZodArray && holdsText((form as z.ZodArray).element as z.ZodType)),
    );
  return membersOf(argumentsSchema(operation)).filter(({ schema }) => holdsText(schema));
}

it("each text of a change that is named like a host is marked, or known", () => {
  const suspected = operations.flatMap(([, operation]) => textsIn(operation).filter(({ name }) => hostLike.test(name)));
  const names = suspected.filter(({ schema }) => !isDestination(schema)).map(({ name }) => name);
  expect([...new Set(names)].sort()).toEqual(Object.keys(knownHosts).sort());
  expect(suspected.filter(({ schema }) => isDestination(schema)).length).toBeGreaterThan(10);
});

const address = destination("email", z.string());
const at = (schema: z.ZodType, value: unknown) =>
  destinationsIn(schema, value).map(({ kind, field, value: text }) => `${kind} ${field} ${text}`);

it("destinations are found by path wherever a schema marks them", () => {
  const schema = z.object({
    body: z.object({
      to: z.array(address.min(1)).optional(),
      delivery: z.union([z.object({ host: destination("host", z.string()) }), z.null()]),
      cc: destination("email", z.array(z.string())).describe("Copies"),
    }),
  });
  const body = { to: ["a@x.example"], delivery: { host: "logs.x.example" }, cc: ["b@x.example", ""] };
  expect(at(schema, { body })).toEqual([
    "email body.to[0] a@x.example",
    "host body.delivery.host logs.x.example",
    "email body.cc[0] b@x.example",
  ]);
});

it("destinations are found by name only where no schema describes them", () => {
  const schema = z.looseObject({ emailFormat: z.string(), name: z.string() });
  const notify = { Recipients: "b@x.example" };
  const value = { emailFormat: "html", name: "x", emailBrief: ["a@x.example"], notify };
  expect(at(schema, value)).toEqual(["email emailBrief[0] a@x.example", "email notify.Recipients b@x.example"]);
});

it("a host-like name marks a host unless it is declared or a choice", () => {
  const schema = z.looseObject({ declaredHost: z.string() });
  const options = {
    ...{ hostname: "origin.x.example", failoverHostnames: ["b.x.example"], "backup-host": "c.x.example" },
    ...{ cacheKeyHostname: "REQUEST_HOST_HEADER", hostHeader: "d.x.example", ghosting: "e", ghost: "g.x.example" },
  };
  const value = { declaredHost: "f.x.example", behaviors: [{ options }], hosts: ["3221225991", "NAME"] };
  expect(at(schema, value)).toEqual([
    "host behaviors[0].options.hostname origin.x.example",
    "host behaviors[0].options.failoverHostnames[0] b.x.example",
    "host behaviors[0].options.backup-host c.x.example",
    "host hosts[0] 3221225991",
    "host hosts[1] NAME",
  ]);
});

it("marking a destination leaves other uses of its schema unmarked", () => {
  const plain = z.string();
  destination("email", plain);
  expect(isDestination(plain)).toBe(false);
  expect(isDestination(z.array(address).optional())).toBe(true);
});
