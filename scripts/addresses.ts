/** Keeps `npm publish` from a package whose addresses are still those of nobody. */
import manifest from "../package.json" with { type: "json" };

// RFC 2606 reserves the name, so it leads nowhere; who publishes has to say where the project lives.
const reserved = /\.example\b|^example\./;
const addresses = {
  homepage: manifest.homepage,
  "bugs.url": manifest.bugs.url,
  "repository.url": manifest.repository.url,
  mcpName: manifest.mcpName,
};
const missing = Object.entries(addresses).flatMap(([field, address]) => (reserved.test(address) ? [field] : []));
if (missing.length > 0) {
  console.error(
    `Not published: ${missing.join(", ")} in package.json ${missing.length > 1 ? "are placeholders" : "is a placeholder"}.`,
  );
  console.error("Write the project's own addresses there, then run npm run generate and commit what changes.");
  process.exitCode = 1;
}
