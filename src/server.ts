#!/usr/bin/env node
/** The entry: hands the command line and the environment to the commands, and leaves with their exit code. */
import { run } from "./commands/run.js";

process.exitCode = await run(process.argv.slice(2), process.env);
