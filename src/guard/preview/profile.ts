/** The profile at the head of a preview: whoever is asked reads that line, whatever else has no room. */
import type { Preview } from "../preview.js";
import type { BriefLine } from "./entry.js";

/**
 * A preview that begins with the name of its profile.
 * @param profile Undefined where there is one alone.
 */
export function ledByProfile(preview: Preview, profile: string | undefined): Preview {
  if (profile === undefined) return preview;
  const lead = `In profile ${profile}: `;
  const led = (lines: readonly BriefLine[]) =>
    lines.map((line, at) => (at === 0 ? { ...line, text: lead + line.text } : line));
  return {
    ...preview,
    summary: lead + preview.summary,
    lines: preview.lines.map((line, at) => (at === 0 ? lead + line : line)),
    brief: led(preview.brief),
    short: led(preview.short),
  };
}
