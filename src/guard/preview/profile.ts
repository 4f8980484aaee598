/** The profile at the head of a preview: whoever is asked reads that line, whatever else has no room. */
import type { Preview } from "../preview.js";

/**
 * A preview that begins with the name of its profile.
 * @param profile Undefined where there is one alone.
 */
export function ledByProfile(preview: Preview, profile: string | undefined): Preview {
  if (profile === undefined) return preview;
  const lead = `In profile ${profile}: `;
  const [line = "", ...lines] = preview.lines;
  const [first, ...brief] = preview.brief;
  return {
    ...preview,
    summary: lead + preview.summary,
    lines: [lead + line, ...lines],
    brief: first === undefined ? [] : [{ ...first, text: lead + first.text }, ...brief],
  };
}
