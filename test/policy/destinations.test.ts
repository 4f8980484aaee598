/** Law over the catalogue: what its name or its description calls a mail address is marked as a destination. */
import { describe, expect, it } from "vitest";
import { argumentsSchema } from "../../src/api/arguments.js";
import type { AnyOperation } from "../../src/api/define.js";
import { destination, destinationsIn, isDestination } from "../../src/api/destination.js";
import { contentsOf, formsOf } from "../../src/api/shape.js";
import { z } from "../../src/api/z.js";
import { allServices } from "../../src/tools/index.js";
import { allWorkflows } from "../../src/workflows/index.js";

const services = await allServices();
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
        for (const [name, member] of Object.entries(form.shape)) found.push({ name, schema: member as z.ZodType });
      contentsOf(form).forEach(visit);
    }
  };
  visit(root);
  return found;
}

const suspects = (schema: z.ZodType): Member[] =>
  membersOf(schema).filter(({ name, schema: member }) =>
    /e-?mail|recipient|addresses to notify/i.test(
      `${name} ${formsOf(member)
        .map((form) => form.description)
        .join(" ")}`,
    ),
  );
const unmarked = (schema: z.ZodType): string[] =>
  suspects(schema)
    .filter(({ schema: member }) => !isDestination(member))
    .map(({ name }) => name);

describe("a member that suggests a mail address", () => {
  it.each(operations)("is marked in %s, or is known to be none", (_, operation) => {
    expect(unmarked(argumentsSchema(operation)).filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  });

  it.each(workflows)("is marked in %s, or is known to be none", (_, { input }) => {
    expect(unmarked(input).filter((name) => !Object.hasOwn(known, name))).toEqual([]);
  });

  it("is known to be none only where there is such a member", () => {
    const names = new Set(operations.flatMap(([, operation]) => unmarked(argumentsSchema(operation))));
    expect([...names].sort()).toEqual(Object.keys(known).sort());
  });

  it("exists, so that the law has something to hold", () => {
    const marked = operations.flatMap(([tool, operation]) =>
      suspects(argumentsSchema(operation)).map(({ name }) => `${tool} ${name}`),
    );
    expect([...new Set(marked)].sort()).toEqual([
      "alert_definition_create email",
      "alert_definition_replace email",
      "cert_enrollment_create email",
      "cert_enrollment_update email",
      "live_stream_create notification-email",
      "live_stream_update notification-email",
      "log_configuration_create emailAddress",
      "log_configuration_replace emailAddress",
      "property_version_activate notifyEmails",
      "sps_request_create email",
      "user_create email",
      "user_create enableEmailNotifications",
      "user_create secondaryEmail",
      "user_create sendEmail",
      "user_notifications_update enableEmailNotifications",
      "user_password_reset sendEmail",
      "user_password_set sendEmail",
      "user_profile_notifications_update enableEmailNotifications",
      "user_profile_update email",
      "user_profile_update secondaryEmail",
      "user_update email",
      "user_update secondaryEmail",
    ]);
  });
});

describe("destinations", () => {
  const address = destination("email", z.string());
  const at = (schema: z.ZodType, value: unknown) =>
    destinationsIn(schema, value).map(({ kind, field, value: text }) => `${kind} ${field} ${text}`);

  it("are found wherever their schema is marked, with their place", () => {
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

  it("are found by name where no schema describes them, and not where one does", () => {
    const schema = z.looseObject({ emailFormat: z.string(), name: z.string() });
    const value = {
      emailFormat: "html",
      name: "x",
      emailBrief: ["a@x.example"],
      notify: { Recipients: "b@x.example" },
    };
    expect(at(schema, value)).toEqual(["email emailBrief[0] a@x.example", "email notify.Recipients b@x.example"]);
  });

  it("leave another use of the same schema unmarked", () => {
    const plain = z.string();
    destination("email", plain);
    expect(isDestination(plain)).toBe(false);
    expect(isDestination(z.array(address).optional())).toBe(true);
  });
});
