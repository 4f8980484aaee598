/** A few bodies of the project's own, and the form of a row, for the replay of samples where their folder is missing. */

/** A sample is named by its file and, inside it, by keys: `file.json#key#key`. */
export interface Row {
  readonly tool: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** Sample that the tool takes as its body and sends. */
  readonly request?: string;
  /** Sample that the upstream answers; without one the answer has no body. */
  readonly answer?: string;
  readonly status: number;
  readonly type?: string;
  /** What an answer in XML has to be read as; a request in XML is compared by its elements, and its body is in `args`. */
  readonly value?: unknown;
  /** Answers to other reads that the call makes on its way, by decoded path. */
  readonly also?: Readonly<Record<string, () => string>>;
}

export const fixtures: Readonly<Record<string, unknown>> = {
  "groups.json": [
    { id: 11111, name: "shop" },
    { id: 22222, name: "*.example.net" },
  ],
  "purge.json": {
    request: { objects: ["https://www.example.com/a b.css"], action: "invalidate", type: "arl", domain: "staging" },
    answer: {
      httpStatus: 201,
      detail: "Request accepted.",
      estimatedSeconds: 240,
      purgeId: "0f6c8f2e-10e4-11f1-9088-62ece60caaf0",
      progressUri: "/ccu/v2/purges/0f6c8f2e-10e4-11f1-9088-62ece60caaf0",
      pingAfterSeconds: 60,
      supportId: "17PY1-1",
      extra: { kept: null },
    },
  },
  "forbidden.json": { title: "Forbidden resource", status: 403, errors: [{ title: "from", detail: "too early" }] },
};

export const fixtureRows: readonly Row[] = [
  { tool: "contract_groups_list", answer: "groups.json", status: 200 },
  {
    tool: "purge_submit",
    args: { queueName: "default" },
    request: "purge.json#request",
    answer: "purge.json#answer",
    status: 201,
  },
  {
    tool: "contract_product_summary_get",
    args: { contractId: "C-1FRYVV3" },
    answer: "forbidden.json",
    status: 403,
    type: "application/problem+json",
  },
];
