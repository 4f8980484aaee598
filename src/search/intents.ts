/** What the wording of a query says about the tool: to look or to change, one thing or all, now or later. */

/** What is known of a tool when it is ranked. */
interface Ranked {
  /** The last word of the tool's name. */
  readonly verb: string;
  /** Whether it only reads; a report and a resource do. */
  readonly reads: boolean;
}

/** Wording, the tools that suit it, and how much more or less they count. */
interface Intent {
  readonly wording: RegExp;
  readonly suits: (tool: Ranked) => boolean;
  readonly factor: number;
}

// How a task is introduced; the word after it says what is to be done.
const leads =
  "please|pls|plz|kindly|now|then|so|ok|okay|hey|hi|well|just|quickly|simply|also|and|can|could|would|will|should|may|you|we|" +
  "i|i'd|i'll|we'd|we'll|i'm|we're|let's|lets|let me|lemme|want|wanna|need|like|love|have|got|gotta|had better|must|to|try|" +
  "trying|going|gonna|help|me|us|how|do|is it possible|possible|time|about|looking|ready|able|go ahead|someone|somebody|" +
  "our team|in order|for me|it is|it's|my job is|ask|tell";

const looks =
  "what|whats|which|who|whos|whom|whose|where|wheres|when|whens|why|how|is|are|isn't|aren't|am|was|were|does|do|did|has|" +
  "hasn't|have|can|could|will|would|should|show|list|see|find|check|look|read|view|review|know|verify|confirm|make sure|" +
  "be sure|ensure|prove|explain|pull|open|inspect|glance|peek|watch|follow|all|every|each|any|anything|anybody|anyone|" +
  "nobody|everything|overview|details?|decide|learn|understand|compare|count|gimme|rule out|choose|pick|schema|history|" +
  "rev history|the|quick|audit|suss|dig|eyeball|scan|browse|enumerate|fetch|retrieve|grab|display|print|dump|spit|cough up|" +
  "return|curious|wonder\\w*|tell|give me (?:the|all|an? (?:list|overview|rundown|summary))|" +
  "get (?:the|all|our|me the|a list|an overview|hold)|monitor|trac\\w+|determine|identify|figure|work out|ascertain|detect|" +
  "lookup|search|hunt|locate|examine|investigate|analy[sz]e|measure|tally|summari[sz]e|recap|report|export|download|" +
  "current|currently|past|recent|latest|newest|status|state|names?|number|info|information|full|test|diagnose|debug|" +
  "troubleshoot|probe|ping|resolve|curl|decode|translate|geolocate|visuali[sz]e|plot|draw|graph|chart|estimate|forecast|" +
  "validate|describe|discover|spot|catch|observe|keep an eye|remind|collect|gather|query|poll|wait|available|existing|" +
  "survey|assess|evaluate|predict|avoid|answer|respond|convince|back ?up|copy of|save a copy|get to the bottom|hear|" +
  "cross-check|double-check|tail|grep|cat|ls";

const creates =
  "create|creating|add|adding|new|make|register|onboard|another|fresh|order|set ?up|set me up|sign up|introduce|start|" +
  "define|build|invite|host|(?:spin|stand|whip|cook|knock) up|get (?:me |us |him |her |them )?(?:an?|another|new|started|going)|" +
  "(?:need|want|have|open|launch|cut) (?:an?|another|new|some)|prepare|begin|plan|book|link|hook up|assign|announce|request|" +
  "clone|copy|dupe|duplicate|replicate|mirror|spawn|generate|issue|mint|provision|enrol\\w*|bring on|append|insert|slot|tack|" +
  "throw|stick|declare|establish|compose|draft|initiate|submit|file|place|apply for|buy|purchase|ask for|schedule|arrange|" +
  "attach|connect|pair|subscribe|craft|design|first|extra|additional|protect|put together|put in|give (?:me|us) (?:an?|another)|" +
  "hire|welcome|admit|enter|upload|import|obtain|acquire|secure|reserve|notify|alert|warn|page|wake|mail|email|block|branch|" +
  "fork|carve|separate|hand me|let .* know|pre-?announce|exclude|ignore|suppress|resend|redeliver|repeat|send .* again|once more";

const changes =
  "change|changing|edit|modify|update|adjust|tweak|correct|fix|alter|rename|relabel|replace|overwrite|swap|put|move|shift|" +
  "raise|lower|bump|crank|give|bar|block|allow|also|extend|reset|set|turn|switch|rejig|tell|let|make|point|add|push|postpone|" +
  "hand|grant|stop|quit|amend|revise|rewrite|rework|refine|tune|fine-tune|customi[sz]e|configure|reconfigure|convert|migrate|" +
  "transfer|relocate|reassign|promote|demote|upgrade|downgrade|enable|disable|toggle|flip|mute|unmute|snooze|silence|loosen|" +
  "tighten|widen|narrow|restrict|relax|prolong|shorten|lengthen|increase|decrease|reduce|double|halve|cut|boost|up|jack|dial|" +
  "ramp|knock|bring|repoint|redirect|route|send|steer|shove|stick|slap|throw|sneak|squeeze|fold|include|exclude|leave out|keep|" +
  "prevent|permit|forbid|ban|whitelist|blacklist|unblock|assign|take|mark|tag|label|describe|retitle|rebrand|restore|" +
  "resurrect|undelete|patch|repair|mend|reorder|shuffle|rebalance|drain|spread|split|delay|defer|reschedule|hold|pause|" +
  "suspend|resume|unpause|continue|fiddle|mess|play|touch|polish|refresh|renew|insert|attach|detach|drop .* from|" +
  "remove .* from|upload|import|write|save|store|apply|elevate|strip|hide|unhide|wall|deny|whack|stretch|trim|clean up|expand|" +
  "shrink|tack|append|force|insist|require|sort out|serve|cover|cache|redo|override|substitute|exchange|trade|call|don't|" +
  "do not|no more|stricter|looser|different|other";

const deletes =
  "delete|deleting|remove|removing|drop|get(?:ting)? (?:rid|shot)|trash|bin|scrap|zap|chuck|dump|kill|nuke|retire|" +
  "throw (?:away|out)|take|unregister|end|clean up|erase|wipe|tear down|ditch|axe?|close|never|break up|revoke|cancel|call off|" +
  "abort|back out|toss|lose|purge|eliminate|expunge|obliterate|destroy|yank|pull|nix|chop|strip|boot|kick|oust|detach|unlink|" +
  "unassign|unhook|disconnect|disassociate|deregister|decommission|sunset|discontinue|abandon|discard|withdraw|rescind|void|" +
  "terminate|shut|shutter|dissolve|offboard|do away|say goodbye|no longer|rm|del|burn|clear out|free|empty|halt|stop|quit|undo|" +
  "unsubscribe|unprotect|cut|sweep|dispose|put .* out|forget";

const activates =
  "activate|deploy|push|publish|go(?:ing)? live|put|roll|release|launch|ship|switch|turn|start|fail|enable|bring|" +
  "promote|apply|commit|fire up|trigger|enforce|failover|rollback|revert|deactivate|flip|cut ?over|go back|return to|fall back|" +
  "(?:get|make|take) .* (?:live|out|active|into production|take effect|count|real)|let .* (?:start|see|take effect)|have .* (?:live|in effect)|send .* (?:live|out)|" +
  "(?:move|shift) .* to (?:prod|staging|production)|stop serving|evacuate|open";

const starting = (words: string) => new RegExp(`^(?:${words})\\b`, "i");
const isOneOf = (verbs: string) => {
  const all = verbs.split(" ");
  return ({ verb }: Ranked) => all.includes(verb);
};

const looking: Intent = { wording: starting(looks), suits: ({ reads }) => reads, factor: 1.9 };
const creating: Intent = {
  wording: starting(creates),
  suits: isOneOf("create launch submit clone copy write"),
  factor: 1.6,
};
const changing: Intent = {
  wording: starting(changes),
  suits: isOneOf("update replace set rename move submit write"),
  factor: 1.6,
};
const deleting: Intent = {
  wording: starting(deletes),
  suits: isOneOf("delete remove cancel deactivate"),
  factor: 1.7,
};

/** By how the task begins. */
const beginnings: readonly Intent[] = [
  looking,
  {
    wording: starting("flush|clear|invalidate|refresh|expire|evict|bust|wipe|nuke|purge|dump|drop|empty|clean"),
    suits: isOneOf("submit"),
    factor: 2,
  },
  creating,
  changing,
  deleting,
  { wording: starting(activates), suits: isOneOf("activate launch run"), factor: 1.5 },
];

/** By what has happened, told in place of the task: "the office has another address" asks for a change of it. */
const happenings: readonly Intent[] = [
  {
    ...creating,
    wording:
      /\b(?:opened|opening|bought|hired|joins?|joined|founded|starts? (?:on|next|work\w*)|signed (?:with|up)|we(?:'ve| have)?(?: got)? (?:an?|another) new)\b/i,
  },
  {
    ...changing,
    wording:
      /\b(?:got (?:an?|another|new|married|renamed)|(?:has|have|had) (?:an? )?(?:new|different|another|other|changed|moved|slipped)|changed|moved|slipped|(?:is|are|was|were) (?:now|called|wrong|renamed|misspel\w+|incorrect|out of date|outdated))\b/i,
  },
  {
    ...deleting,
    wording:
      /\b(?:clos(?:ed|ing)(?: down)?|shut(?:ting)? down|left|quit|scrapped|retired|discontinued|gone|cancell?ed|dead|obsolete|finished|dissolved)\b/i,
  },
];
// Somebody who tells what happened begins with who or what it happened to.
const tells = new RegExp(
  `^\\W*(?:(?:the|our|my|his|her|their|an?|some\\w*|new|we|we've|we're|i|i've|i'm|it|they|this|that)\\b|(?!(?:${looks})\\b)[\\w'-]+ (?:is|are|was|has|got|quit|left)\\b)`,
  "i",
);

const aboutOne = /\b(?:one|single|particular|specific|certain|given|named|number|called|this|that)\b|\b\d+\b|\w's\b/i;

/** By what is said anywhere. */
const anywhere: readonly Intent[] = [
  {
    wording:
      /\b(?:delet\w+|remov\w+|get(?:ting)? rid|no longer (?:need|want|use)\w*|for good|permanently|take .{0,60} (?:away|off)|no use|not needed|obsolete|don'?t need)\b/i,
    suits: isOneOf("delete remove deactivate"),
    factor: 1.35,
  },
  {
    wording:
      /\b(?:take effect|live now|go(?:es)? live|into effect|make .{0,60} live(?= (?:in|on|for|now|to)\b|\W*$))\b/i,
    suits: isOneOf("activate launch"),
    factor: 1.5,
  },
  {
    wording:
      /\b(?:all|every|each|any|our|overview|list|inventory|how many|lying around|choices|options|kinds?|so far)\b/i,
    suits: isOneOf("list find"),
    factor: 1.15,
  },
  {
    wording:
      /^(?:\w+ ){0,4}?\w*[^sui\W]s (?:on|of|in|for|from|with|behind|under|that|which|to|are|do|can|have)\b|\b(?:which|what) (?:\w+ ){0,2}\w+s\b/i,
    suits: isOneOf("list"),
    factor: 1.3,
  },
  {
    wording: aboutOne,
    suits: isOneOf("list create"),
    factor: 0.7,
  },
  {
    wording: aboutOne,
    suits: isOneOf("get"),
    factor: 1.2,
  },
  {
    wording: /\b(?:who|whom|whose)\b/i,
    suits: isOneOf("list"),
    factor: 1.3,
  },
  {
    wording:
      /\b(?:another|brand[- ]new|an? (?:new|fresh|second|third)|one more|extra|not? (?:\w+ )?(?:yet|exist\w*))\b/i,
    suits: isOneOf("create clone copy"),
    factor: 1.3,
  },
  {
    wording: /\b(?:existing|already|exists|we have|in use)\b/i,
    suits: isOneOf("create"),
    factor: 0.75,
  },
  {
    wording: /\b(?:background|jobs?|queued?|later|kick off|asynchronous\w*|async)\b/i,
    suits: isOneOf("launch status result"),
    factor: 1.5,
  },
  {
    wording: /\b(?:directly|right (?:here|now|away)|immediately|without waiting|at once|straight)\b/i,
    suits: isOneOf("launch status result"),
    factor: 0.55,
  },
  {
    wording: /\b(?:ready|done|finished|progress|poll|yet|how far|coming on|until)\b/i,
    suits: isOneOf("status get"),
    factor: 1.25,
  },
  {
    wording: /\b(?:results?|outcome|findings|answer|came (?:out|back)|(?:is|has) (?:over|finished))\b/i,
    suits: isOneOf("result"),
    factor: 1.5,
  },
];

const lead = new RegExp(`^\\W*(?:(?:${leads})\\b[\\s,]*)+`, "i");
// "How many …" and "can I see …" ask, though they begin with words that also introduce a task.
const asks =
  /^\W*(?:how (?:many|much|far|long|often|big|full|is|are|does|did)|do (?:we|i|you|they)|can (?:i|we) (?:see|find|use|choose))\b/i;

/** How much more or less a tool counts for a query, by what it does. */
export function suiting(query: string): (tool: Ranked) => number {
  const task = query.replace(lead, "") || query;
  const isQuestion = asks.test(query);
  const told = tells.test(query) && !isQuestion ? happenings.filter(({ wording }) => wording.test(query)) : [];
  const said = [
    ...beginnings.filter((one) =>
      one === looking ? told.length === 0 && (isQuestion || one.wording.test(task)) : one.wording.test(task),
    ),
    ...told,
    ...anywhere.filter(({ wording }) => wording.test(query)),
  ];
  return (tool) => said.reduce((product, { suits, factor }) => (suits(tool) ? product * factor : product), 1);
}
