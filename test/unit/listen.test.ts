/** Why a process cannot listen: each code of the system has its reason and its remedy, and none is lost. */
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { listen } from "../../src/system/listen.js";

it.each([
  ["EADDRINUSE", "Another program listens on this port.", /--port, or 0/],
  ["EACCES", "This user has no permission to listen on this port.", /--port above 1023/],
  ["EADDRNOTAVAIL", "No network interface of this machine has this address.", /--host/],
  ["ENOTFOUND", "The host name does not resolve.", /--host/],
  ["EAI_AGAIN", "The host name does not resolve.", /--host/],
  ["EMFILE", "The system refused it: EMFILE.", /--host or --port/],
  [undefined, "The system refused it: an error without a code.", /--host or --port/],
])("%s is told in words", async (code, why, next) => {
  const server = createServer();
  server.listen = () => {
    process.nextTick(() => server.emit("error", Object.assign(new Error("private"), { code })));
    return server;
  };
  await expect(listen(server, "h", 80, "The server")).rejects.toMatchObject({
    code: "bad_configuration",
    message: "The server cannot listen on h, port 80.",
    detail: { why, next: expect.stringMatching(next) },
  });
});

it("returns the port that the system chose", async () => {
  const server = createServer();
  expect(await listen(server, "127.0.0.1", 0, "The server")).toBeGreaterThan(0);
  server.close();
});
