/** Whose tokens count as denied by what an operator has written down. */
import { expect, it } from "vitest";
import { createDenied, type Denied } from "../../src/mcp/http/denied.js";

const of = (subject: string, issuer?: string, more: { client?: string; tokenId?: string } = {}) => ({
  principal: { subject, ...(issuer === undefined ? {} : { issuer }), client: more.client, groups: [], scopes: [] },
  tokenId: more.tokenId,
});

it("denied names of a file match in any case, issuer subjects exactly", async () => {
  const denied: Denied[] = [
    { kind: "subject", value: "Ann" },
    { kind: "client", value: "App" },
    { kind: "jti", value: "J1" },
  ];
  const isDenied = createDenied(async () => denied);
  const issuer = "https://login.example.com";
  const verdicts = [
    ["the name", of("Ann"), "denied"],
    ["the name in other letters", of("ann"), "denied"],
    ["another name", of("anna"), undefined],
    ["the subject", of("Ann", issuer), "denied"],
    ["another subject in other letters", of("ann", issuer), undefined],
    ["the client", of("x", issuer, { client: "App" }), "denied"],
    ["another client in other letters", of("x", issuer, { client: "app" }), undefined],
    ["the id", of("x", issuer, { tokenId: "J1" }), "denied"],
    ["a subject that is the name of a client", of("App"), undefined],
  ] as const;
  for (const [what, one, verdict] of verdicts) expect([what, await isDenied(one)]).toEqual([what, verdict]);
});
