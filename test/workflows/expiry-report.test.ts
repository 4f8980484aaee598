/** What ends soon, against what the single APIs answer. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it, vi } from "vitest";
import { type Args, callsAt } from "../lab/calls.js";

const now = Date.UTC(2026, 4, 20, 12, 10);
const dayMs = 86_400_000;
const here = callsAt(now);

interface Report {
  readonly findings: readonly string[];
  readonly expires: readonly {
    readonly ends: string;
    readonly daysLeft: number;
    readonly what: string;
    readonly does: string;
    readonly continueWith?: { readonly tool: string; readonly arguments: Args };
  }[];
  readonly notCovered: readonly string[];
  readonly steps: { readonly done: Readonly<Record<string, number>>; readonly notDone?: readonly object[] };
}
const report = (args: Args) => here.calls.worked<Report>("expiry_report", args);
const bodyOf = async (tool: string, args: Args) => (await here.calls.answer(tool, args)).body as never;
const seconds = (text: string) => new Date(text).toISOString().replace(".000Z", "Z");

/** The expiry of each certificate on a network, by enrollment. */
async function expiries() {
  const { enrollments }: { enrollments: { location: string; csr: { cn: string } }[] } = await bodyOf(
    "cert_enrollments_list",
    {},
  );
  const found = new Set<string>();
  for (const { location, csr } of enrollments) {
    const enrollmentId = Number(location.split("/").at(-1));
    const outcome = await here.calls.call("cert_deployments_list", { enrollmentId });
    // Before its first deployment an enrollment answers 404.
    const deployed = outcome.kind === "answer" ? outcome.reply.body : {};
    for (const [, expiry] of JSON.stringify(deployed).matchAll(/"expiry":"([^"]+)"/g))
      found.add(`${csr.cn} ${seconds(String(expiry))}`);
  }
  return [...found];
}

it.each([60, 90, 400])("has the certificates that end within %i days, soonest first", async (days) => {
  const { expires, findings } = await report({ days });
  const until = now + days * dayMs;
  const expected = (await expiries()).filter((one) => Date.parse(one.split(" ")[1] ?? "") <= until);
  const own = expires.filter(({ what }) => what.startsWith("certificate of "));
  expect(own.map(({ what, ends }) => `${what.split(" ")[2]} ${ends}`).sort()).toEqual(expected.sort());
  expect(expires.map(({ ends }) => ends)).toEqual(expires.map(({ ends }) => ends).sort());
  for (const { ends, daysLeft } of expires) expect(daysLeft).toBe(Math.floor((Date.parse(ends) - now) / dayMs));
  const ended = expires.filter(({ daysLeft }) => daysLeft < 0).length;
  expect(findings[0]).toMatch(new RegExp(`^${expires.length - ended} .* within ${days} days; ${ended} `));
});

it("expiry report: active credentials of the client, or asks for one", async () => {
  const own: { credentialId: number; status: string; expiresOn: string }[] = await bodyOf("credentials_list", {
    openIdentityId: "oi-7421",
  });
  const { expires, notCovered } = await report({ days: 730, openIdentityId: "oi-7421" });
  const active = own.filter(
    ({ status, expiresOn }) => status === "ACTIVE" && Date.parse(expiresOn) <= now + 730 * dayMs,
  );
  expect(active.length).toBeGreaterThan(0);
  const found = expires.filter(({ what }) => what.startsWith("credential "));
  expect(found.map(({ what, ends }) => `${what.split(" ")[1]} ${ends}`).sort()).toEqual(
    active.map(({ credentialId, expiresOn }) => `${credentialId} ${seconds(expiresOn)}`).sort(),
  );
  expect(notCovered.join()).not.toContain("openIdentityId");
  expect((await report({})).notCovered.join()).toContain("Credentials: give openIdentityId.");
});

it("expiry report: small, with the caller's password and usable steps", async () => {
  const { passwordExpiryDate }: { passwordExpiryDate: string } = await bodyOf("user_profile_get", {});
  const found = await report({ days: 730, openIdentityId: "oi-7421" });
  const own = found.expires.find(({ what }) => what === "your password");
  expect(own?.ends).toBe(seconds(passwordExpiryDate));
  expect(encode(JSON.stringify(found)).length).toBeLessThan(1_500);
  const reads = found.expires
    .flatMap(({ continueWith }) => continueWith ?? [])
    .filter(({ tool }) => /_(get|status)$/.test(tool));
  expect(reads.length).toBeGreaterThan(0);
  for (const { tool, arguments: args } of reads)
    expect(["answer", "workflow"]).toContain((await here.calls.call(tool, args)).kind);
});

it("has a rule of an active version that ends, and no rule that has ended", async () => {
  const policyId = 1001;
  const redirect = (name: string, endsInDays: number) => ({
    type: "erMatchRule",
    name,
    matchURL: `/${name}`,
    redirectURL: "/sale",
    statusCode: 302,
    start: Math.floor((now - 20 * dayMs) / 1_000),
    end: Math.floor((now + endsInDays * dayMs) / 1_000),
  });
  const matchRules = [redirect("soon", 7), redirect("over", -7), redirect("far", 90)];
  const made: { version: number } = await bodyOf("edgelogic_policy_version_create", {
    policyId,
    body: { description: "Limited", matchRules },
  });
  const rules = async () => (await report({})).expires.filter(({ what }) => what.startsWith("rule "));
  expect(await rules()).toEqual([]);
  const additionalPropertyNames = ["www.shop.example"];
  await here.calls.approved("edgelogic_policy_version_activate", {
    policyId,
    version: made.version,
    body: { network: "staging", additionalPropertyNames },
  });
  here.world.advance(3_600_000);
  expect(await rules()).toMatchObject([
    {
      ends: new Date(now + 7 * dayMs).toISOString().replace(".000Z", "Z"),
      what: `rule soon of policy spring_redirects, version ${made.version}`,
      continueWith: { tool: "edgelogic_policy_version_create", arguments: { policyId, cloneVersion: made.version } },
    },
  ]);
});

it("a day that has begun is not counted as left", async () => {
  const { expires: before } = await report({ days: 400 });
  vi.setSystemTime(now + 1);
  const { expires: after } = await report({ days: 400 });
  const left = (all: Report["expires"]) =>
    new Map(all.map(({ what, ends, daysLeft }) => [`${what} ${ends}`, daysLeft]));
  const whole = before.filter(({ ends }) => (Date.parse(ends) - now) % dayMs === 0);
  expect(whole.length).toBeGreaterThan(0);
  for (const { what, ends, daysLeft } of whole) expect(left(after).get(`${what} ${ends}`)).toBe(daysLeft - 1);
});

it("says what it could not read, and reports the rest", async () => {
  const { findings, steps, expires } = await report({ days: 400, openIdentityId: "oi-0" });
  expect(findings.at(-1)).toContain("A step failed");
  expect(steps.notDone).toMatchObject([
    { tool: "credentials_list", outcome: "failed" },
    { step: "enrollments of 3-EXPIRED", outcome: "failed" },
  ]);
  expect(expires.length).toBeGreaterThan(0);
});
