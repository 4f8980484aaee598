/** What the wording of a query says about the verb of the tool: to look or to change, one thing or all, now or later. */

/** Wording, the verbs of tools' names that suit it, and how much more or less they count. */
interface Intent {
  readonly wording: RegExp;
  readonly verbs: string;
  readonly factor: number;
}

const reading = "list get find status result check run describe search";
const looks =
  "what|which|who|whose|where|when|why|how|is|are|was|were|does|did|has|have|can|could|show|list|see|find|check|look|read|view|" +
  "review|know|verify|confirm|make sure|prove|explain|pull up|open|inspect|glance|peek|watch|follow|all|every|any|overview|" +
  "details?|decide|learn|understand|compare|count|gimme|rule out|choose|pick|schema|history|rev history|the|quick|everything|audit";
const creates =
  "create|add|new|make|register|onboard|another|fresh|order|set up|setup|sign up|introduce|start|define|build|invite|host|spin up|stand up|whip up|get a|need a|prepare|begin|plan|book|link|hook up|assign|announce|request|clone|copy|dupe|duplicate";
const changes =
  "change|edit|modify|update|adjust|tweak|correct|fix|alter|rename|relabel|replace|overwrite|swap|put|move|shift|raise|lower|" +
  "bump|crank|give|bar|block|allow|also|extend|reset|set|turn|switch|rejig|tell|let|make|point|add|push|postpone|hand|grant|stop|quit";
const deletes =
  "delete|remove|drop|get rid|trash|bin|scrap|zap|chuck|dump|kill|nuke|retire|throw away|take|unregister|end|clean up|erase|" +
  "wipe|tear down|ditch|axe|close|never|break up|revoke|cancel|call off|abort|back out|toss|lose|purge";
const activates = "activate|deploy|push|publish|go live|put|roll|release|launch|ship|switch|turn|make|take|start|fail";

const first = (words: string): RegExp =>
  new RegExp(`^\\W*(?:please |now |then |we need to |i want to )?(?:${words})\\b`, "i");

const intents: readonly Intent[] = [
  { wording: first(looks), verbs: reading, factor: 1.9 },
  { wording: first("flush|clear|invalidate|refresh|expire|evict|bust|wipe|nuke|purge"), verbs: "submit", factor: 2 },
  { wording: first(creates), verbs: "create launch submit clone copy", factor: 1.7 },
  { wording: first(changes), verbs: "update replace set rename move submit", factor: 1.7 },
  { wording: first(deletes), verbs: "delete remove cancel deactivate", factor: 1.9 },
  { wording: first(activates), verbs: "activate launch run", factor: 1.5 },
  {
    wording:
      /\b(?:delet\w+|remov\w+|get(?:ting)? rid|no longer need\w*|for good|permanently|take .* (?:away|off)|no use)\b/i,
    verbs: "delete remove deactivate",
    factor: 1.35,
  },
  { wording: /\b(?:take effect|live now|go(?:es)? live|into effect)\b/i, verbs: "activate launch", factor: 1.5 },
  {
    wording:
      /\b(?:all|every|each|any|our|overview|list|inventory|how many|lying around|choices|options|kinds?|so far)\b/i,
    verbs: "list find",
    factor: 1.4,
  },
  {
    wording: /^\w*[^s\W]s (?:on|of|in|for|from|with|behind)\b|\b(?:which|what) (?:\w+ ){0,2}\w+s\b/i,
    verbs: "list",
    factor: 1.3,
  },
  {
    wording: /\b(?:one|single|particular|specific|certain|given|named|number|called|this|that)\b|\b\d+\b|\w's\b/i,
    verbs: "list create",
    factor: 0.7,
  },
  {
    wording: /\b(?:background|jobs?|queued?|later|kick off|asynchronous\w*|async)\b/i,
    verbs: "launch status result",
    factor: 1.5,
  },
  {
    wording: /\b(?:directly|right (?:here|now|away)|immediately|without waiting|at once|straight)\b/i,
    verbs: "launch status result",
    factor: 0.55,
  },
  {
    wording: /\b(?:ready|done|finished|progress|poll|yet|how far|coming on|until)\b/i,
    verbs: "status get",
    factor: 1.25,
  },
  {
    wording: /\b(?:results?|outcome|findings|answer|came (?:out|back)|(?:is|has) (?:over|finished))\b/i,
    verbs: "result",
    factor: 1.5,
  },
];

/** How much more or less a tool counts for a query, by the verb of its name. */
export function suiting(query: string): (tool: string) => number {
  const said = intents
    .filter(({ wording }) => wording.test(query))
    .map((one) => ({ ...one, verbs: one.verbs.split(" ") }));
  return (tool) => {
    const verb = tool.slice(tool.lastIndexOf("_") + 1);
    return said.reduce((factor, one) => (one.verbs.includes(verb) ? factor * one.factor : factor), 1);
  };
}
