import { expect, it } from "vitest";
import { play, scenariosOf } from "./scenario.js";

const lists = "GET /network-list/v1/network_lists";
const days =
  "GET /media-analytics/v1/audience-analytics/report-packs/6831/data?startDate=05/18/2026&endDate=05/19/2026&metrics=40";
const certificate =
  "POST /config-secure-provisioning-service/v1/sps-requests?contractId=C-1FRYVV3&groupId=11111 form {cnameHostname: " +
  "a.example, createType: san, csr.cn: a.example, validationType: ov, issuer: symantec";
const queue =
  "POST /config-visitor-prioritization-data/api/v1/policymanager?command=read form {query: {policyManagerRequest: " +
  "{command: read, read: {id: 102}}}";
const played = async (...lines: readonly string[]) => {
  const [scenario] = scenariosOf(["path := /contract-api/v1", "## one", ...lines].join("\n"));
  if (scenario) await play("one.scenario", scenario);
};
const purge = 'POST /ccu/v2/queues/default {objects: ["https://www.example.com/"]}';
const [contracts, other] = ["GET $path/contracts/identifiers", "GET $path/contracts/X/products/summaries"];

it.each([
  [`${contracts} -> 200`, `${contracts} -> 404`],
  [contracts, other],
  [`${contracts} -> 2xx`, `${contracts} -> 4xx`],
  [`${contracts} -> 200 "C-1FRYVV3"`, `${contracts} -> 200 "C-2FRYVV3"`],
  [`${contracts}\n  . has C-1FRYVV3`, `${contracts}\n  . has C-2FRYVV3`],
  [`${contracts}\n  . lacks C-2FRYVV3`, `${contracts}\n  . lacks C-1FRYVV3`],
  [`${contracts}\n  . is GET $path/contracts/identifiers`, `${contracts}\n  . is []`],
  [`${contracts}\n  header content-type ~ json$`, `${contracts}\n  header content-type ~ xml$`],
  [
    `${contracts}\n  first := .[0]\n${contracts}\n  .[0] is $first`,
    `${contracts}\n  first := .[0]\n${contracts}\n  .[1] is $first`,
  ],
  [`tick 1 d\n${contracts} -> $status for status in [200]`, `${contracts} -> $status for status in [200, 404]`],
  ["GET /config-media-live/v1/live\n  .domain count 2", "GET /config-media-live/v1/live\n  .domain count 1"],
  [`> content-type: application/json\n${purge} -> 201`, `> content-type: application/xml\n${purge} -> 201`],
  [`${contracts}\n  header retry-after is null`, `${contracts}\n  header content-type is null`],
  [`${days}&sortParams=[{"type":"metric","id":40,"order":"asc"}]`, `${days}&sortParams=[{"type":"metric"}]`],
  [`${queue}} -> 200`, `${queue.replace("102", "1")}} -> 200`],
  [`${certificate}, csr.sans: [b.example, c.example]} -> 202`, `${certificate}, issuer: [a, b]} -> 202`],
  [`${contracts}\n  . count 3`, `${contracts}\n  . count 2`],
])("%s holds, and its opposite fails", async (good, bad) => {
  await played(good);
  await expect(played(bad)).rejects.toThrow();
});

it.each([`${lists} $unknown`, `${contracts}\n  what is this`, `${contracts}\n  .a.b.c is 1`])(
  "refuses %s",
  async (line) => {
    await expect(played(line)).rejects.toThrow();
  },
);
