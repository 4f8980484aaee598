/** Prints what each list of tools costs an assistant, by name, description and input schema; fails over the limits. */
import { allServices } from "../src/tools/index.js";
import { allWorkflows } from "../src/workflows/index.js";
import { limitOfOne, limits, menuCosts } from "./menu-costs.js";

const services = await allServices();
console.log("APIs       surface     tools  tokens   limit  largest");
for (const apis of ["documents", "today"] as const)
  for (const { surface, each, tokens } of menuCosts(services, await allWorkflows(apis), apis)) {
    const largest = each.slice(0, 3).map((one) => `${one.name} ${one.tokens}`);
    const numbers = [each.length, tokens, limits[apis][surface]].map((number) => String(number).padStart(6));
    console.log(`${apis.padEnd(10)} ${surface.padEnd(10)} ${numbers.join("  ")}  ${largest.join(", ")}`);
    if (tokens > limits[apis][surface] || (each[0]?.tokens ?? 0) > limitOfOne) process.exitCode = 1;
  }
