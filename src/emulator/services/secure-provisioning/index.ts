/** Secure provisioning: requests that enroll for certificates in the certificate service, and follow their changes. */
import { isRecord } from "../../../language/member.js";
import { secureProvisioning as declared } from "../../../tools/secure-provisioning/index.js";
import type { Call } from "../../behaviour.js";
import { findIn } from "../../primitives/store.js";
import { accepted, type ErrorFormat, forbidden, ok, RequestRefusal } from "../../reply.js";
import { emulateService } from "../../service.js";
import { instant, utcOf } from "../../values.js";
import type { World } from "../../world.js";
import { contracts, mainContractId, secureEdgeZoneName } from "../account.js";
import { enroll, enrollmentOf, updateEnrollment } from "../certificates/enroll.js";
import { currentEnrollments } from "../certificates/life.js";
import {
  type CertificateChange,
  type Enrollment,
  type EnrollmentDetails,
  namesOf,
  pendingChangesOf,
  usualDetails,
} from "../certificates/store.js";
import { groupsOf } from "../groups.js";
import { addEdgeHostname } from "../properties/edge-hostnames.js";
import { edgeNamesIn } from "../properties/served.js";
import { products } from "../properties/world.js";

type Operations = (typeof declared)["operations"];
type Form = Call<Operations["sps_request_create"]>["body"];
type EdgeHost = Call<Operations["sps_edge_host_create"]>["body"];
type Owner = Call<Operations["sps_edge_host_create"]>["query"];

interface Request {
  readonly id: number;
  readonly jobId: number;
  readonly contractId: string;
  readonly groupId: number;
  readonly createdAtMs: number;
  readonly enrollment: Enrollment;
  /** The change of the enrollment that it waits for; a request that only concerns a hostname has none. */
  readonly change: CertificateChange | undefined;
  readonly parameters: { readonly name: string; readonly value: string }[];
}
const hostnameMs = 300_000;
const pathOf = (id: number): string => `/config-secure-provisioning-service/v1/sps-requests/${id}`;

/** The service's own error format (public facts B, 2), which is plain JSON. */
const errorFormat: ErrorFormat = ({ detail, title, extras: { field = "" } }) => ({
  type: "application/json",
  body: {
    Errors: { invalidItems: [{ field, spsId: null, validation: title, validationDescription: detail }] },
    Results: "Errors",
  },
});
const invalid = (field: string, detail: string): RequestRefusal =>
  new RequestRefusal(400, "Invalid parameter input", detail, { field });

const requests = (world: World): Request[] =>
  world.state("secure-provisioning", () => {
    const enrollment = enrollmentOf(world, 10_001);
    const [change] = enrollment.changes;
    const owner = { contractId: mainContractId, groupId: 11111 };
    const createdAtMs = change?.sinceMs ?? world.startedAtMs;
    const parameters = [{ name: "cnameHostname", value: "www.shop.example" }];
    return [{ id: 1001, jobId: 44_301, ...owner, createdAtMs, enrollment, change, parameters }];
  });

/** The contract and the group of a call, which belong together; their prefixes may be left out. */
function ownerOf(world: World, { contractId, groupId }: Owner) {
  const contract = String(contractId).replace(/^ctr_/, "");
  const group = Number(String(groupId).replace(/^grp_/, ""));
  if (!contracts.some(({ id }) => id === contract))
    throw forbidden(`The contract ${contract} is not one of this client's`);
  if (!groupsOf(world).some(({ id, contractIds }) => id === group && contractIds.includes(contract)))
    throw forbidden(`The contract ${contract} has no group ${group}`);
  return { contractId: contract, groupId: group };
}

/** The fields of a form with their nested names joined, as they were posted. */
const posted = (body: object, before = ""): Request["parameters"] =>
  Object.entries(body).flatMap(([name, value]: [string, unknown]) => {
    if (isRecord(value)) return posted(value, `${before}${name}.`);
    return (Array.isArray(value) ? value : [value]).map((one) => ({ name: before + name, value: String(one) }));
  });

/** What a form asks the certificate service to enroll. */
function detailsOf({ csr, createType, validationType = "ov", issuer = "symantec" }: Form): EnrollmentDetails {
  const { cn, sans = [], ...subject } = csr ?? {};
  if (cn === undefined) throw invalid("csr.cn", "The common name is missing");
  return {
    ...usualDetails(cn, sans, false),
    csr: { cn, ...subject },
    certificateType: createType,
    validationType,
    ra: validationType === "dv" ? "free-ca" : issuer,
  };
}

/** Adds names to the certificate of an earlier request. */
function addNames(world: World, { jobId, add }: Form, contractId: string) {
  currentEnrollments(world);
  const earlier = requests(world).find((one) => String(one.jobId) === jobId);
  if (earlier?.contractId !== contractId) throw invalid("jobId", "There is no request with this job");
  const { enrollment } = earlier;
  if (add === undefined) throw invalid("add.sans", "The names to add are missing");
  if (pendingChangesOf(enrollment).length > 0)
    throw invalid("jobId", "The last request of this certificate is not complete");
  const { details } = enrollment;
  const sans = [...new Set([...details.sans, ...add.sans])];
  return { enrollment, change: updateEnrollment(world, enrollment, { ...details, sans }, {}) };
}

function accept(
  world: World,
  owner: ReturnType<typeof ownerOf>,
  body: Form | EdgeHost,
  { enrollment, change }: Pick<Request, "enrollment" | "change">,
) {
  const id = world.next("sps request", 1_100);
  const jobId = world.next("sps job", 44_400);
  requests(world).push({ id, jobId, ...owner, createdAtMs: world.now(), enrollment, change, parameters: posted(body) });
  const { cnameHostname: prefix } = body;
  // The name is made once; other requests for the same name add to the certificate behind it.
  if (!edgeNamesIn(world, secureEdgeZoneName).includes(prefix))
    addEdgeHostname(world, {
      prefix,
      suffix: secureEdgeZoneName,
      productId: products[0].id,
      secure: true,
      ipVersionBehavior: "IPV4",
      enrollmentId: enrollment.id,
    });
  const results = { type: "SUCCESS", jobID: jobId, enrollmentId: enrollment.id };
  return accepted({ spsId: id, resourceLocation: pathOf(id), Results: { size: 1, data: [{ text: null, results }] } });
}

function summary(world: World, request: Request, hasParameters: boolean | undefined) {
  const { change, createdAtMs, enrollment, id, jobId } = request;
  const hostnameAtMs = createdAtMs + hostnameMs;
  const isDone = change === undefined ? world.now() >= hostnameAtMs : change.end === "completed";
  const changedAtMs = change?.sinceMs ?? (isDone ? hostnameAtMs : createdAtMs);
  const status = isDone ? "SPS Request Complete" : change?.end === "cancelled" ? "CPS cancelled" : "CPS running";
  return {
    status,
    spsId: id,
    jobId,
    enrollmentId: enrollment.id,
    workflowProgress: isDone ? "All of your requested changes are complete." : "",
    resourceUrl: pathOf(id),
    lastStatusChange: instant(changedAtMs),
    parameters: hasParameters ? request.parameters : undefined,
  };
}

function ofOwner(world: World, owner: Owner): readonly Request[] {
  const { contractId, groupId } = ownerOf(world, owner);
  currentEnrollments(world);
  return requests(world).filter((one) => one.contractId === contractId && one.groupId === groupId);
}

export const secureProvisioning = emulateService(declared, errorFormat, {
  sps_requests_list: ({ query }, world) => {
    const since = query.after === undefined ? Number.NEGATIVE_INFINITY : utcOf(query.after);
    const found = ofOwner(world, query).filter(({ createdAtMs }) => createdAtMs > since);
    return ok({ requestList: found.map((one) => summary(world, one, query.information)) });
  },
  sps_request_create: ({ query, body }, world) => {
    const owner = ownerOf(world, query);
    if (body.createType === "modSan") return accept(world, owner, body, addNames(world, body, owner.contractId));
    const enrollment = enroll(world, owner.contractId, detailsOf(body), {});
    return accept(world, owner, body, { enrollment, change: enrollment.changes[0] });
  },
  sps_request_get: ({ path, query }, world) => {
    // The time is ignored where the request is named (public facts B, 2).
    const found = findIn(ofOwner(world, query), { id: path.spsId }, "SPS ID NOT FOUND");
    return ok({ requestList: [summary(world, found, query.information)] });
  },
  sps_edge_host_create: ({ query, body }, world) => {
    const owner = ownerOf(world, query);
    const enrollment = currentEnrollments(world).get(body.enrollmentId);
    if (enrollment === undefined) throw invalid("enrollmentId", `There is no enrollment ${body.enrollmentId}`);
    if (!namesOf(enrollment.details).includes(body.cnameHostname))
      throw invalid("cnameHostname", `The enrollment ${enrollment.id} does not cover ${body.cnameHostname}`);
    return accept(world, owner, body, { enrollment, change: undefined });
  },
});
