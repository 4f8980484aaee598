/** Runs the built program, and keeps the code that V8 has compiled by the end; the build sends it a client's first messages. */
const { mkdirSync } = require("node:fs");
const { resolve } = require("node:path");
const { load, modules, shippedDirectory, writeCode } = require(resolve("dist/server.js"));

load("server.js");
process.once("exit", () => {
  mkdirSync(shippedDirectory, { recursive: true });
  for (const [name, module] of modules) writeCode(shippedDirectory, name, module);
});
