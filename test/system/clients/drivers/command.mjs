/** Runs a client that is a command: a new process, and over stdio a new server, for each step. */
import { execFile } from "node:child_process";

/** What the command wrote on stdout; where it failed, an error with all that it wrote. */
export const run = (args) =>
  new Promise((done, fail) => {
    execFile(process.execPath, args, { maxBuffer: 64 * 2 ** 20 }, (error, stdout, stderr) =>
      error ? fail(new Error([stdout, stderr].join("\n").trim() || error.message)) : done(stdout),
    ).stdin.end();
  });
