/** A guarded call in its published form, approved on the emulator: what was previewed is what arrives and what is there then. */
import { expect, it } from "vitest";
import { demoCredentials } from "../../src/emulator/credentials.js";
import { createEmulator } from "../../src/emulator/index.js";
import { usersById } from "../../src/emulator/services/users/store.js";
import { createWorld } from "../../src/emulator/world.js";
import { authorizer } from "../../src/wire/authorize.js";
import { createClient } from "../../src/wire/index.js";
import { callsIn } from "./in-world.js";

const tool = "user_grants_replace";
const args = { uiIdentityId: "A-B-100003", body: [{ groupId: 33_333, roleId: 3 }] };

it.each([
  [[], "/authGrants"],
  [[tool], "/auth-grants"],
])("with %j in published-routes the grants that were shown are sent and stored", async (tools, end) => {
  const world = createWorld({ frozenAt: Date.UTC(2026, 4, 20, 12, 30) });
  try {
    const emulator = createEmulator({ world });
    const changes: string[] = [];
    const client = createClient({
      send: (request) => {
        const { method, url, body } = request;
        if (method !== "GET") changes.push(`${method} ${url.pathname} ${new TextDecoder().decode(body)}`);
        return emulator.send(request);
      },
      target: { origin: `https://${demoCredentials.host}`, vendor: "akamai", publishedRoutes: new Set(tools) },
      authorize: authorizer(undefined, demoCredentials),
      maxResponseBytes: 1_000_000,
    });
    const { approved, previewed } = callsIn(world, { client });
    const { request, lines } = await previewed(tool, args);
    expect(lines).toContain("body[0]: {groupId: 33333, roleId: 3}");
    expect(request.path.endsWith(end)).toBe(true);
    expect(changes).toEqual([]);
    expect(await approved(tool, args)).toMatchObject({ kind: "answer", reply: { status: 200 } });
    expect(changes).toEqual([`PUT ${request.path} ${JSON.stringify(args.body)}`]);
    expect(usersById(world).get(args.uiIdentityId)?.grants).toMatchObject(args.body);
  } finally {
    world.reset();
  }
});
