/** The entry point: passes the command line and the environment to the commands, and exits with their exit code. */
import { run } from "./commands/run.js";

run(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code;
});
