/** What definitions have wrong is corrected where they are used: each correction is needed, and goes no further. */
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { boxedDefinitions } from "../../scripts/box.js";
import { corrected, corrections } from "../../src/definitions/corrections.js";
import type { CompiledOperation } from "../../src/definitions/definition.js";
import { misfitsIn } from "../../src/definitions/misfits.js";
import { exchange } from "../wire/exchange.js";
import { importing, toolsOf } from "./boxed.js";

const { library } = await importing();
const find = (name: string) => library.find(name) ?? expect.fail(name);
const inBox = new Map(
  boxedDefinitions().flatMap((definition) =>
    Object.values(definition.operations).map((compiled) => [compiled.route, { compiled, definition }] as const),
  ),
);
const mediaOf = ({ body, returns }: CompiledOperation): readonly string[] =>
  [body, ...Object.values(returns)].flatMap((one) => one?.type ?? []);

it("each correction of definitions has a reason and is needed", () => {
  const all = toolsOf(library).map((tool) => tool.facts());
  for (const { of, why, media, optional = [] } of corrections) {
    const own = all.filter(({ compiled: { route } }) => route === of || route.includes(` ${of}`));
    expect([own.length > 0, why.length > 40, media !== undefined || optional.length > 0], of).not.toContain(false);
    if (media !== undefined) expect([...new Set(own.flatMap(({ compiled }) => mediaOf(compiled)))]).toEqual([media]);
    const raw = own.map(({ compiled: { route } }) => inBox.get(route) ?? expect.fail(route));
    expect(raw.filter((one) => isDeepStrictEqual(corrected(one), one)).map(({ compiled }) => compiled.route)).toEqual(
      [],
    );
  }
});

it("a domain has the media type that the vendor's clients send", async () => {
  const type = expect.stringMatching(/^application\/vnd\.config-gtm\.v1\.\d\+json$/);
  const sentBy = async (name: string, args: Record<string, unknown>) =>
    (await exchange(await find(name).operation(), args, { status: 200, body: "{}" })).sent[0]?.headers;
  const [domainName, mapName, body] = ["a.akadns.net", "m", {}];
  expect(await sentBy("gtm_domain_get", { domainName })).toMatchObject({ accept: type });
  expect(await sentBy("gtm_domain_as_map_delete", { domainName, mapName })).toMatchObject({ accept: type });
  const both = { accept: type, "content-type": type };
  expect(await sentBy("gtm_domain_create", { body })).toMatchObject(both);
  expect(await sentBy("gtm_domain_cidr_map_update", { domainName, mapName, body })).toMatchObject(both);
  expect(await sentBy("gtm_identity_get", {})).toMatchObject({ accept: "application/json" });
});

it("a definition that has a type of the vendor's form keeps it", () => {
  const { compiled, definition } = find("gtm_domain_get").facts();
  const newer = { ...compiled, returns: { 200: { type: "application/vnd.config-gtm.v2+json" }, 204: null } };
  expect(corrected({ compiled: newer, definition }).compiled).toEqual(newer);
  const beside = { ...compiled, route: "GET /config-gtm/v1/domains-of/{domainName}" } as const;
  expect(corrected({ compiled: beside, definition }).compiled).toBe(beside);
});

it("notifications without lists of products fit their definition", () => {
  const schema = find("iam_user_profile_notification_update").schema();
  const fitting = (options: object) => misfitsIn(schema, { body: { enableEmailNotifications: true, options } });
  expect(fitting({ passwordExpiry: true, newUserNotification: true })).toEqual([]);
  expect(fitting({ newUserNotification: true })).toEqual([{ path: ["body", "options"], why: "lacks passwordExpiry" }]);
});
