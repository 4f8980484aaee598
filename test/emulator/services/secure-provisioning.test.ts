/** The emulated provisioning service: its requests are enrollments of the certificate service, and follow their changes. */
import { describe, expect, it } from "vitest";
import { createWorld } from "../../../src/emulator/world.js";
import { secureProvisioning } from "../../../src/tools/secure-provisioning/index.js";
import { callsIn } from "../../lab/calls.js";
import { answerOf } from "../../lab/outcome.js";
import { now, startRaw } from "../../lab/raw.js";
import { rule } from "../../lab/rules.js";

const root = "/config-secure-provisioning-service/v1";
const owner = "contractId=C-1FRYVV3&groupId=11111";
const formType = "application/x-www-form-urlencoded";
const wanted = "cnameHostname=a.shop.example&createType=san&csr.cn=a.shop.example&validationType=ov&issuer=symantec";

interface Accepted {
  readonly spsId: number;
  readonly resourceLocation: string;
  readonly Results: {
    readonly size: number;
    readonly data: readonly { readonly results: { readonly jobID: number; readonly enrollmentId: number } }[];
  };
}
interface Summary {
  readonly status: string;
  readonly spsId: number;
  readonly enrollmentId: number;
  readonly parameters?: readonly { readonly name: string; readonly value: string }[];
}

function start() {
  const raw = startRaw();
  const post = (path: string, body: string, query = owner) =>
    raw.ask({ method: "POST", target: `${root}${path}?${query}`, headers: { "content-type": formType }, body });
  const accepted = async (path: string, body: string) => {
    const answer = await post(path, body);
    expect(answer.status, answer.text).toBe(202);
    return answer.json() as Accepted;
  };
  const list = async (more = "") => {
    const answer = await raw.get(`${root}/sps-requests?${owner}${more}`);
    expect(answer.status, answer.text).toBe(200);
    return (answer.json() as { requestList: Summary[] }).requestList;
  };
  const one = async (id: number, more = "") => raw.get(`${root}/sps-request/${id}?${owner}${more}`);
  const statusOf = async (id: number) => ((await one(id)).json() as { requestList: Summary[] }).requestList[0]?.status;
  const headers = { accept: "application/vnd.akamai.cps.enrollment.v4+json" };
  const enrollment = async (id: number) =>
    (await raw.ask({ target: `/cps/v2/enrollments/${id}`, headers })).json() as {
      csr: { cn: string; sans: string[] };
      pendingChanges: string[];
    };
  return { ...raw, post, accepted, list, one, statusOf, enrollment };
}

rule("sps-owner", "provisioning needs a contract and a group, both of the account", async () => {
  const { get, post } = start();
  for (const query of ["contractId=C-1FRYVV3", "groupId=11111", ""])
    expect((await get(`${root}/sps-requests${query === "" ? "" : `?${query}`}`)).status).toBe(400);
  expect((await post("/sps-requests", wanted, "groupId=11111")).status).toBe(400);
  expect((await get(`${root}/sps-requests?contractId=C-OTHER&groupId=11111`)).status).toBe(403);
  expect((await get(`${root}/sps-requests?contractId=3-MADEUP&groupId=11111`)).status).toBe(403);
  expect((await get(`${root}/sps-requests?contractId=ctr_C-1FRYVV3&groupId=grp_11111`)).status).toBe(200);
});

rule("sps-accepted", "accepts a request with 202, its id, its address and its job", async () => {
  const { accepted, enrollment } = start();
  const { spsId, resourceLocation, Results } = await accepted("/sps-requests", wanted);
  expect(resourceLocation).toBe(`${root}/sps-requests/${spsId}`);
  expect(Results).toMatchObject({ size: 1, data: [{ results: { type: "SUCCESS" } }] });
  const { jobID, enrollmentId } = Results.data[0]?.results ?? { jobID: 0, enrollmentId: 0 };
  expect(jobID).toBeGreaterThan(0);
  expect((await enrollment(enrollmentId)).csr.cn).toBe("a.shop.example");
});

rule("sps-dotted-form", "provisioning forms take dotted and repeated names, no unknown ones", async () => {
  const { accepted, post, enrollment } = start();
  const { Results } = await accepted("/sps-requests", `${wanted}&csr.sans=b.shop.example&csr.sans=c.shop.example`);
  const { sans } = (await enrollment(Results.data[0]?.results.enrollmentId ?? 0)).csr;
  expect(sans).toEqual(["b.shop.example", "c.shop.example"]);
  expect((await post("/sps-requests", `${wanted}&csr.colour=red`)).status).toBe(400);
  expect((await post("/sps-requests", `${wanted}&csr.cn=again`)).status).toBe(400);
});

rule("sps-after", "lists only requests created after a time", async () => {
  const { accepted, list, world } = start();
  const first = await accepted("/sps-requests", wanted);
  world.advance(3_600_000);
  const at = new Date(now + 1_800_000).toISOString().replace(".000", "");
  expect(await list(`&after=${at}`)).toEqual([]);
  const second = await accepted("/sps-requests", wanted.replaceAll("a.shop", "b.shop"));
  expect((await list(`&after=${at}`)).map(({ spsId }) => spsId)).toEqual([second.spsId]);
  expect((await list()).map(({ spsId }) => spsId)).toEqual([1001, first.spsId, second.spsId]);
});

rule("sps-information", "adds what was posted where it is asked for", async () => {
  const { accepted, list, one } = start();
  const { spsId } = await accepted("/sps-requests", `${wanted}&csr.sans=b.shop.example&csr.sans=c.shop.example`);
  const { requestList } = (await one(spsId, "&information=true")).json() as { requestList: Summary[] };
  const posted = ["cn a", "sans b", "sans c"].map((text) => text.split(" "));
  for (const [name, value] of posted)
    expect(requestList[0]?.parameters).toContainEqual({ name: `csr.${name}`, value: `${value}.shop.example` });
  expect((await list()).every((request) => request.parameters === undefined)).toBe(true);
});

describe("a request", () => {
  it("a provisioning request completes or is cancelled with its change", async () => {
    const { accepted, statusOf, enrollment, world, ask } = start();
    const done = await accepted("/sps-requests", wanted);
    const gone = await accepted("/sps-requests", wanted.replaceAll("a.shop", "b.shop"));
    expect([await statusOf(done.spsId), await statusOf(gone.spsId)]).toEqual(["CPS running", "CPS running"]);
    const [change = ""] = (await enrollment(gone.Results.data[0]?.results.enrollmentId ?? 0)).pendingChanges;
    await ask({ method: "DELETE", target: change });
    world.advance(7_200_000);
    expect([await statusOf(done.spsId), await statusOf(gone.spsId)]).toEqual(["SPS Request Complete", "CPS cancelled"]);
  });

  it("adds names to the certificate of an earlier one, once that is complete", async () => {
    const { accepted, post, enrollment, world } = start();
    const { Results } = await accepted("/sps-requests", wanted);
    const { jobID, enrollmentId } = Results.data[0]?.results ?? { jobID: 0, enrollmentId: 0 };
    const more = `cnameHostname=a.shop.example&createType=modSan&jobId=${jobID}&add.sans=d.shop.example`;
    expect((await post("/sps-requests", more)).status).toBe(400);
    world.advance(7_200_000);
    const added = await accepted("/sps-requests", more);
    expect(added.Results.data[0]?.results.enrollmentId).toBe(enrollmentId);
    expect((await enrollment(enrollmentId)).csr.sans).toEqual(["d.shop.example"]);
    expect((await post("/sps-requests", more.replace(String(jobID), "1"))).status).toBe(400);
  });

  it("for a hostname needs an enrollment that covers it", async () => {
    const { accepted, post, statusOf, world } = start();
    const { spsId } = await accepted("/secure-edge-hosts", "cnameHostname=www.shop.example&enrollmentId=10001");
    expect(await statusOf(spsId)).toBe("CPS running");
    world.advance(300_000);
    expect(await statusOf(spsId)).toBe("SPS Request Complete");
    for (const [host, enrollmentId] of Object.entries({ x: 10_001, www: 1 })) {
      const body = `cnameHostname=${host}.shop.example&enrollmentId=${enrollmentId}`;
      expect((await post("/secure-edge-hosts", body)).status).toBe(400);
    }
  });

  it("is refused in the service's own form", async () => {
    const { post, one } = start();
    const refused = await post("/sps-requests", "cnameHostname=a.shop.example&createType=san");
    expect([refused.status, refused.headers["content-type"]]).toEqual([400, "application/json"]);
    const [item] = (refused.json() as { Errors: { invalidItems: object[] } }).Errors.invalidItems;
    expect(item).toMatchObject({ field: "csr.cn", validation: "Invalid parameter input" });
    expect((await one(7)).status).toBe(404);
  });
});

it("tells of each job that was accepted", async () => {
  const { approved } = callsIn(createWorld());
  const { notes } = answerOf(
    await approved("sps_request_create", { ...secureProvisioning.operations.sps_request_create.spec.example }),
  );
  expect(notes).toContainEqual(expect.stringMatching(/^Job \d+ was accepted \("SUCCESS"\), for enrollment \d+\.$/));
});
