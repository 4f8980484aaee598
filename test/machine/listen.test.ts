/** Why a process cannot listen: each code of the system has its reason and its remedy, and none is lost. */
import { createServer } from "node:net";
import { expect, it } from "vitest";
import { listen } from "../../src/system/listen.js";

it.each([
  ["EADDRINUSE", /--port, or 0/],
  ["EACCES", /--port above 1023/],
  ["EADDRNOTAVAIL", /--host/],
  ["ENOTFOUND", /--host/],
  ["EMFILE", /--host or --port/],
  [undefined, /--host or --port/],
])("listening that fails with %s names the setting to change", async (code, next) => {
  const server = createServer();
  server.listen = () => {
    process.nextTick(() => server.emit("error", Object.assign(new Error("private"), { code })));
    return server;
  };
  await expect(listen(server, "h", 80, "The server")).rejects.toMatchObject({
    code: "bad_configuration",
    detail: { next: expect.stringMatching(next) },
  });
});

it("listening returns the port that the system chose", async () => {
  const server = createServer();
  expect(await listen(server, "127.0.0.1", 0, "The server")).toBeGreaterThan(0);
  server.close();
});
