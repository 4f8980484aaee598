/** The upstream of the traced calls: it takes undici's place in the program, and answers each request in the same pieces, however fast it is read. */
import { setImmediate } from "node:timers";
import type { Dispatcher } from "undici";

const json = (status: number, body: object) => ({ status, body: Buffer.from(JSON.stringify(body)) });
const rowCount = 20_000;
const rows = Array.from({ length: rowCount }, (_, row) => ({
  startdatetime: `${new Date(Date.UTC(2020, 0, 1) + row * 300_000).toISOString().slice(0, 19)}Z`,
  cpcode: String(100_000 + (row % 977)),
  response_class: `${row % 10}xx`,
  edgeHits: String((row * 7_919) % 100_003),
  edgeBytes: String((row * 15_485_863) % 10_000_000_019),
}));
const metadata = {
  name: "some-report",
  version: "1",
  start: "2020-01-01T00:00:00Z",
  end: "2026-01-01T00:00:00Z",
  groupBy: ["startdatetime"],
  availableDataEnds: null,
  suggestedRetryTime: null,
  rowCount,
  columns: Object.keys(rows[0] ?? {}).map((name) => ({ name, label: name })),
  objectIds: ["all"],
};
const answers: Readonly<Record<string, { readonly status: number; readonly body: Buffer }>> = {
  "GET /ccu/v2/queues/default": json(200, { httpStatus: 200, detail: "d", supportId: "s", queueLength: 0 }),
  "POST /ccu/v2/queues/default": json(201, {
    httpStatus: 201,
    detail: "Request accepted.",
    supportId: "s",
    purgeId: "p",
    progressUri: "/ccu/v2/purges/p",
    estimatedSeconds: 420,
    pingAfterSeconds: 420,
  }),
  "GET /papi/v0/groups/": json(200, { accountId: "act_1", accountName: "Shop", groups: { items: [] } }),
  "GET /reporting-api/v1/reports/some-report/versions/1/report-data": json(200, {
    metadata,
    data: rows,
    summaryStatistics: {},
  }),
};
const pieceBytes = 65_536;

/** As much of undici's pool as the program uses. */
export class Pool {
  dispatch({ method, path }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const [route] = path.split("?");
    const answer = answers[`${method} ${route}`] ?? json(404, {});
    const controller = { abort() {}, pause() {}, resume() {} } as unknown as Dispatcher.DispatchController;
    setImmediate(() => {
      handler.onRequestStart?.(controller, {});
      handler.onResponseStart?.(controller, answer.status, { "content-type": "application/json" });
      for (let at = 0; at < answer.body.length; at += pieceBytes)
        handler.onResponseData?.(controller, answer.body.subarray(at, at + pieceBytes));
      handler.onResponseEnd?.(controller, {});
    });
    return true;
  }

  async destroy(): Promise<void> {}
}
