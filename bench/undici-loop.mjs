/** The baseline of many calls over stdio: a bare loop that asks the upstream, a number of times for each line that it reads. */
import { createInterface } from "node:readline";
import { Pool } from "undici";

const [, , origin, inFlight] = process.argv;
const pool = new Pool(origin, { connections: Number(inFlight) });
const ask = async () => {
  const { body } = await pool.request({ method: "GET", path: "/ccu/v2/queues/default" });
  await body.json();
};

for await (const count of createInterface({ input: process.stdin })) {
  let left = Number(count);
  const worker = async () => {
    while (left-- > 0) await ask();
  };
  await Promise.all(Array.from({ length: Number(inFlight) }, worker));
  console.log("done");
}
