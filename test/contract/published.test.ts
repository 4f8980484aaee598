/** Laws over the published forms: what leaves through the client is what its preview tells, and a refusal names the setting. */
import { describe, expect, it } from "vitest";
import { checkArguments } from "../../src/arguments/index.js";
import { describeAll } from "../../src/guard/preview/several.js";
import { describe as describeCall } from "../../src/guard/preview.js";
import type { AnyOperation } from "../../src/language/define.js";
import { deadlineIn } from "../../src/language/durations.js";
import { isRead } from "../../src/language/effect.js";
import { Failure } from "../../src/language/failure.js";
import { mediaList } from "../../src/language/media.js";
import { memberAt } from "../../src/language/member.js";
import type { WireRequest } from "../../src/language/wire.js";
import { secretFrom } from "../../src/secrets/files.js";
import { allServices } from "../../src/tools/index.js";
import { createClient } from "../../src/wire/index.js";
import { filled } from "../secret-values.js";
import { basesOf } from "./preview-law.js";
import { argumentsIn, type Masked } from "./preview-reading.js";

const services = await allServices();
const operations = services.flatMap((service) => Object.entries<AnyOperation>(service.operations));
const published = operations.filter(([, { spec }]) => spec.published !== undefined);
const isJson = ({ spec }: AnyOperation) => mediaList(spec.body).some(({ codec }) => codec === "json");
// The words of the documents as they are: what the vendor calls them is no part of a preview.
const target = {
  origin: "https://h.example",
  vendor: "v",
  vendorWords: { "free-ca": "free-ca", vendorRuleId: "vendorRuleId" },
};

/** A client that is answered with one status, and what it was given to send. */
function startClient(status: number, tools: readonly string[]) {
  const sent: WireRequest[] = [];
  const client = createClient({
    target: { ...target, publishedRoutes: new Set(tools) },
    authorize: () => ({}),
    maxResponseBytes: 10_000,
    send: async (request) => {
      sent.push(request);
      return { status, headers: {}, body: (async function* () {})() };
    },
  });
  return { client, sent };
}

/** Whether what was sent is what was told, where a mask stands for a text of its length. */
function isTold(told: unknown, sent: unknown): boolean {
  if (typeof sent === "string" && typeof told === "object" && told !== null)
    return (told as Masked).characters === sent.length;
  if (typeof sent !== "object" || sent === null || typeof told !== "object" || told === null) return told === sent;
  const [names, others] = [Object.keys(told), Object.keys(sent)];
  const at = (value: object, key: string) => (value as Record<string, unknown>)[key];
  // The order of members is a part of the bytes.
  return names.join("\n") === others.join("\n") && names.every((key) => isTold(at(told, key), at(sent, key)));
}

/** The body that a preview tells, with what comes from files: a file of these tests holds its own name. */
function bodyIn(operation: AnyOperation, lines: readonly string[]): unknown {
  const args = argumentsIn(lines, ["body", ...Object.keys(secretFrom(operation))]);
  const fromFiles = Object.entries(secretFrom(operation)).map(([argument, member]) => [member, args[argument]]);
  return fromFiles.length === 0
    ? args["body"]
    : { ...(args["body"] as object | undefined), ...Object.fromEntries(fromFiles) };
}

/** A call as it is previewed and as it leaves. */
async function leaving(tool: string, operation: AnyOperation, args: unknown, tools: readonly string[]) {
  const { client, sent } = startClient(204, tools);
  const checked = checkArguments(tool, operation, args);
  const request = await client.resolve(tool, operation, await filled(operation, checked));
  const description = describeCall(tool, operation, checked, request, "the account", undefined);
  const { lines } = describeAll(tool, [description]);
  await client.call(tool, "x", operation, request, deadlineIn(1_000), () => undefined).catch(() => undefined);
  const [{ method, url, body } = expect.fail("nothing left")] = sent;
  return {
    lines,
    line: `${method} ${url.pathname}${url.search}`,
    bytes: body && new TextDecoder("utf-8", { fatal: true }).decode(body),
  };
}

const forms = [
  ...operations
    .filter(([, one]) => isJson(one) && !isRead(one))
    .map(([tool, one]) => [tool, "documented", one] as const),
  ...published.map(([tool, one]) => [tool, "published", one] as const),
];

describe.each(forms)("%s in its %s form", (tool, form, operation) => {
  it("leaves as its preview tells it, byte by byte", async () => {
    let seen = 0;
    const files = Object.keys(secretFrom(operation));
    for (const base of basesOf(operation)) {
      if (files.some((argument) => memberAt(base, argument) === undefined)) continue;
      const made = await leaving(tool, operation, base, form === "published" ? [tool] : []).catch((error: unknown) => {
        if (error instanceof Failure) return undefined;
        throw error;
      });
      if (made === undefined) continue;
      const { lines, line, bytes } = made;
      expect(lines).toContainEqual(`Request: ${line} (${tool})`);
      const told = bodyIn(operation, lines);
      expect([told, bytes === undefined ? undefined : JSON.parse(bytes)]).toSatisfy(([one, other]: unknown[]) =>
        isTold(one, other),
      );
      if (bytes !== undefined) expect(JSON.stringify(JSON.parse(bytes))).toBe(bytes);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(0);
  });
});

describe.each(published)("%s, which has a published form", (tool, operation) => {
  const routed = operation.spec.published?.route ?? "";
  const checked = async () => filled(operation, checkArguments(tool, operation, basesOf(operation)[0]));

  it.each([404, 405])("names the setting where a %i answers either form", async (status) => {
    for (const tools of [[], [tool]]) {
      const { client } = startClient(status, tools);
      const request = await client.resolve(tool, operation, await checked());
      const failure = await client
        .call(tool, "x", operation, request, deadlineIn(1_000), () => undefined)
        .catch((error) => error);
      expect(failure).toBeInstanceOf(Failure);
      const { next } = (failure as Failure).detail;
      expect(next).toContain("published-routes");
      expect(next).toContain(tool);
      expect(next).toContain(tools.length === 0 ? routed : operation.route);
    }
  });

  it("says nothing of the setting where another status answers", async () => {
    const { client } = startClient(400, []);
    const request = await client.resolve(tool, operation, await checked());
    const failure = await client
      .call(tool, "x", operation, request, deadlineIn(1_000), () => undefined)
      .catch((error) => error);
    expect(failure).toBeInstanceOf(Failure);
    expect((failure as Failure).detail.next).not.toContain("published-routes");
  });

  it("has a body with members, or none, where the form puts arguments into it", () => {
    if (operation.spec.published?.inBody.length === 0) return;
    for (const { schema } of mediaList(operation.spec.body)) expect(schema.safeParse([]).success).toBe(false);
  });
});

it("looks at every published form", () => {
  expect(published.map(([tool]) => tool).sort()).toEqual([
    "edgelogic_origin_create",
    "property_version_find",
    "threat_list_item_update",
    "user_grants_replace",
    "user_password_set",
  ]);
});
