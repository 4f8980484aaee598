/** API clients of today: what previews say of who may do what, what keeps the calls going, and that both generations see one world. */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { demoCredentials } from "../../../src/emulator/credentials.js";
import { createWorld } from "../../../src/emulator/world.js";
import { z } from "../../../src/language/z.js";
import { promptText } from "../../../src/resources/prompts.js";
import { secretFiles } from "../../../src/secrets/files.js";
import { promptOf } from "../../../src/tools/guides.js";
import { type Args, callsIn } from "../../lab/calls.js";
import { startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";
import { secretDirectory } from "../../lab/secret-files.js";

const world = createWorld();
const calls = callsIn(world, {
  secretFiles: secretFiles(secretDirectory()),
  signer: async () => demoCredentials.clientToken,
});
beforeEach(() => world.reset());

const client = { clientId: "oi-7421" };
const credential = { ...client, credentialId: 4101 };
const base = "/identity-management/v3/api-clients";
const former = "/identity-management/v1/open-identities";
const read = async (tool: string, args: Args) => (await calls.answer(tool, args)).body as Record<string, unknown>;

rule("apiclient-secret-once", "a new credential's secret goes to a file; client tokens are masked", async () => {
  for (const [tool, args, at] of [
    ["apiclient_credential_create", client, "clientSecret"],
    [
      "apiclient_create",
      {
        body: {
          clientType: "CLIENT",
          clientName: "Purge bot",
          authorizedUsers: ["rchen"],
          apiAccess: { allAccessibleApis: true },
          groupAccess: { cloneAuthorizedUserGroups: true },
          createCredential: true,
        },
      },
      "credentials.0.clientSecret",
    ],
  ] as const) {
    const outcome = await calls.approved(tool, args);
    // A schema can contain itself, and shows nothing.
    const text = JSON.stringify(outcome, (_, one) => (one instanceof z.ZodType ? undefined : one));
    const [, file = ""] = /are in \\"([^"]+)\\"/.exec(text) ?? [];
    const secret = readFileSync(file, "utf8").trim();
    expect(secret.length).toBeGreaterThan(20);
    expect(text).toContain(`${at} is not shown`);
    expect(text).not.toContain(secret);
  }
  expect((await read("apiclient_credentials_list", client)) as unknown).toEqual(
    expect.not.arrayContaining([expect.objectContaining({ clientSecret: expect.anything() })]),
  );
  expect(await read("apiclient_get", client)).toMatchObject({ accessToken: expect.stringMatching(/^\[secret/) });
});

rule("apiclient-one-user", "refuses a second user of a client", async () => {
  const body = {
    authorizedUsers: ["rchen", "jbrandt"],
    apiAccess: { allAccessibleApis: true },
    groupAccess: { cloneAuthorizedUserGroups: true },
  };
  const { fields } = await calls.refused("apiclient_update", { ...client, body });
  expect(fields).toEqual(["body.authorizedUsers: exactly one username, because the client is of the type CLIENT"]);
});

rule("apiclient-delete-inactive", "deletes no active credential, and no client that has one", async () => {
  const { fields } = await calls.refused("apiclient_credential_delete", credential);
  expect(fields[0]).toContain("set its status with apiclient_credential_update first");
  expect((await calls.refused("apiclient_delete", client)).fields[0]).toContain("apiclient_all_credentials_deactivate");
  const { ask } = startRaw();
  const refused = await ask({ method: "DELETE", target: `${base}/oi-7421/credentials/4101` });
  expect([refused.status, refused.json()]).toMatchObject([409, { title: "ERROR_CREDENTIAL_ACTIVE" }]);
});

describe("both generations", () => {
  rule("apiclient-two-years", "show a new credential, which is ACTIVE for two years", async () => {
    const { send, get } = startRaw();
    const made = (await send("POST", `${base}/oi-7421/credentials`, undefined)).json() as Record<string, string>;
    const years = (text = "") => new Date(text).getUTCFullYear();
    expect([made["status"], years(made["expiresOn"]) - years(made["createdOn"])]).toEqual(["ACTIVE", 2]);
    expect((await get(`${former}/oi-7421/credentials/${made["credentialId"]}`)).json()).toMatchObject({
      clientToken: made["clientToken"],
    });
  });

  rule("apiclient-deactivate-all", "show that all are INACTIVE, and none is gone", async () => {
    const { send, get } = startRaw();
    expect((await send("POST", `${base}/oi-7421/credentials/deactivate`, undefined)).status).toBe(204);
    const all = (await get(`${former}/oi-7421/credentials`)).json() as { status: string }[];
    expect(all.map(({ status }) => status)).toEqual(["INACTIVE", "INACTIVE", "INACTIVE"]);
  });

  rule("apiclient-status-moves", "show what the other one has set, and activate it again", async () => {
    const { send, get } = startRaw();
    const one = { status: "INACTIVE", expiresOn: "2028-01-01T00:00:00Z" };
    await send("PUT", `${former}/oi-7421/credentials/4101`, one);
    expect((await get(`${base}/oi-7421/credentials/4101`)).json()).toMatchObject({ status: "INACTIVE" });
    await send("PUT", `${base}/oi-7421/credentials/4101`, { ...one, status: "ACTIVE" });
    expect((await get(`${former}/oi-7421/credentials/4101`)).json()).toMatchObject({ status: "ACTIVE" });
  });

  it("know no credentials of a client that was deleted", async () => {
    const { ask, get } = startRaw();
    expect((await ask({ method: "DELETE", target: `${base}/oi-7422` })).status).toBe(204);
    expect((await get(`${former}/oi-7422/credentials`)).status).toBe(404);
  });
});

it("rotates with tools of today only", async () => {
  const prompt = await promptOf("api-clients");
  if (!prompt) throw new Error("There is no prompt.");
  const text = promptText(prompt, { clientId: "self", credentialId: "4001" });
  expect(text).toContain("apiclient_credential_deactivate");
  expect(text).not.toMatch(/\bcredentials?_(list|create|get|update|delete|deactivate)\b/);
});
