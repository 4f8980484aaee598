/** Each version of the certificate service's media types has the members that its definition has, and no others. */
import { describe, expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";

const each = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const ciphers = ["mustHaveCiphers", "preferredCiphers"];
const tls = [...ciphers, "disallowedTlsVersions"];
const place = ["geography", "secureNetwork"];
const settings = ["sniOnly", "quicEnabled", "ocspStapling"];
const sorted = (value: object) => Object.keys(value).sort();

async function read<T>(entity: string, target: string): Promise<T> {
  const { ask } = startRaw();
  const answer = await ask({
    target: `/cps/v2${target}`,
    headers: { accept: `application/vnd.akamai.cps.${entity}+json` },
  });
  expect([entity, answer.status], answer.text).toEqual([entity, 200]);
  return answer.json() as T;
}

interface Network {
  readonly networkConfiguration: object;
}

describe("the network of an enrollment", () => {
  const named = [...tls, ...place];
  it.each([
    [[1], [...ciphers, "networkType", "sni"]],
    [[2], [...tls, "networkType", "secureNetwork", "sni"]],
    [each(3, 6), [...named, "sni"]],
    [each(7, 8), [...named, ...settings, "dnsNameSettings"]],
    [each(9, 11), [...named, ...settings, "dnsNameSettings", "clientMutualAuthentication"]],
  ])("in versions %j has %j", async (versions, members) => {
    for (const version of versions) {
      const { networkConfiguration } = await read<Network>(`enrollment.v${version}`, "/enrollments/10001");
      expect([version, sorted(networkConfiguration)]).toEqual([version, [...members].sort()]);
    }
  });
});

describe("the network of a deployment", () => {
  it.each([
    [[1], [...ciphers, "networkType", "sni"]],
    [[2], [...tls, "networkType", "sni"]],
    [each(3, 5), [...tls, ...place, "sni"]],
    [each(6, 7), [...tls, ...place, ...settings, "dnsNames"]],
  ])("in versions %j has %j", async (versions, members) => {
    for (const version of versions) {
      const { networkConfiguration } = await read<Network>(
        `deployment.v${version}`,
        "/enrollments/10001/deployments/production",
      );
      expect([version, sorted(networkConfiguration)]).toEqual([version, [...members].sort()]);
    }
  });
});

describe("the network that a change is about to deploy", () => {
  it.each([
    [[1], [...ciphers, "networkType", "sni"]],
    [[2], [...tls, "networkType", "sni"]],
    [each(4, 5), [...tls, ...settings, "networkType", "dnsNameSettings"]],
  ])("in versions %j has %j", async (versions, members) => {
    for (const version of versions) {
      const { pendingState } = await read<{ pendingState: { pendingNetworkConfiguration: object } }>(
        `change-management-info.v${version}`,
        "/enrollments/10003/changes/20003/input/info/change-management-info",
      );
      expect([version, sorted(pendingState.pendingNetworkConfiguration)]).toEqual([version, [...members].sort()]);
    }
  });
});

it("pending changes are paths up to version 9, then objects with types", async () => {
  const location = "/cps/v2/enrollments/10003/changes/20003";
  for (const version of each(1, 11)) {
    const { pendingChanges } = await read<{ pendingChanges: unknown }>(`enrollment.v${version}`, "/enrollments/10003");
    expect([version, pendingChanges]).toEqual([
      version,
      [version < 10 ? location : { location, changeType: "renewal" }],
    ]);
  }
});

it("a pending change that removes a certificate has no type", async () => {
  const { ask } = startRaw();
  const type = (entity: string) => `application/vnd.akamai.cps.${entity}+json`;
  const target = "/cps/v2/enrollments/10001";
  await ask({ method: "DELETE", target, headers: { accept: type("enrollment-status.v1") } });
  const { pendingChanges } = (await ask({ target, headers: { accept: type("enrollment.v11") } })).json() as {
    pendingChanges: object[];
  };
  expect(pendingChanges.map(sorted)).toEqual([["location"]]);
});
