/**
 * Keeps a page of the approvals desk up to date: it counts down the time that is left, and takes what is new from the
 * page as the server makes it now. Without it, the page is the same and is reloaded by hand.
 */

const byId = (id, within = document) => within.getElementById(id);

function inTime(seconds) {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** When each time ends that is counted down. The clock of this machine may be wrong, so only what is left is used. */
const ends = new WeakMap();

function secondsLeft(element) {
  const end = ends.get(element) ?? performance.now() + Number(element.dataset.left) * 1000;
  ends.set(element, end);
  return Math.max(0, Math.floor((end - performance.now()) / 1000));
}

function countDown() {
  for (const element of document.querySelectorAll("[data-left]")) {
    const left = secondsLeft(element);
    const text = left > 0 ? `expires in ${inTime(left)}` : "expired";
    if (element.textContent !== text) element.textContent = text;
    const buttons = left > 0 ? [] : (element.closest("[data-plan]")?.querySelectorAll(".yes") ?? []);
    for (const button of buttons) button.disabled = true;
  }
}

const status = byId("live");
const reload = status?.parentElement.querySelector("a");

/** Sets a text that is read out when it changes. */
function say(element, text) {
  if (element && text !== undefined && element.textContent !== text) element.textContent = text;
}

const linesOf = (texts) =>
  texts.map((text) => {
    const line = document.createElement("p");
    line.textContent = text;
    return line;
  });

/** Says in words what changed, to those who do not see it. */
const announce = (text) => byId("news")?.append(...linesOf([text]));

/** When the pointer was last moved. As long as it moves, someone may be about to press something, which must not move. */
let pointedAt = Number.NEGATIVE_INFINITY;
for (const name of ["pointermove", "pointerdown"])
  addEventListener(
    name,
    () => {
      pointedAt = performance.now();
    },
    { passive: true },
  );
const isPointing = () => performance.now() - pointedAt < 1500;

/** Replaces parts that are made anew each time; the focus stays on the link that had it. */
function replaceParts(fresh) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const next = byId(part.id, fresh);
    if (!next || next.innerHTML === part.innerHTML) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    part.innerHTML = next.innerHTML;
    const link = [...part.querySelectorAll("a")].find((one) => one.getAttribute("href") === focused);
    link?.focus({ preventScroll: true });
  }
}

/** A plan that no longer waits keeps its place and says what became of it, so that nothing moves below a pointer. */
function endCard(card, fresh) {
  if (card.classList.contains("over")) return;
  const decided = fresh.querySelector(`[data-decided="${card.id}"]`);
  const verdict = decided?.querySelector(".verdict").textContent ?? "No longer waits";
  const said = [...(decided?.querySelectorAll(".said") ?? [])].map((line) => line.textContent);
  card.classList.add("over");
  const state = card.querySelector(".state");
  // As many lines as the countdown had, which goes, if there is one decision.
  state.replaceChildren(...linesOf(said.length === 0 ? [`${verdict}.`] : said));
  state.removeAttribute("data-live");
  card.querySelector(".until").replaceChildren();
  card.querySelector("a").textContent = "See";
  announce(`${verdict}: ${card.querySelector("h2").textContent}`);
}

/** New plans come last, also where the list on the server has another order. */
function mergeCards(fresh) {
  const list = byId("plans");
  if (!list) return;
  for (const card of list.children) if (!byId(card.id, fresh)) endCard(card, fresh);
  for (const card of fresh.querySelectorAll("#plans > li")) {
    if (byId(card.id)) continue;
    card.classList.add("new");
    announce(`New: ${card.querySelector("h2").textContent}`);
    list.append(card);
  }
}

/** The page of a plan keeps what was typed; once the plan has ended, nothing can be decided. */
function mergePlan(fresh) {
  const form = document.querySelector(".decide");
  if (!form) return;
  const end = fresh.querySelector(".end");
  const said = end && [...end.children].map((line) => line.textContent.replace(/\.?$/, ".")).join(" ");
  say(byId("verdict"), said ?? byId("verdict", fresh)?.textContent);
  const canApprove = fresh.querySelector(".yes") !== null;
  for (const button of form.querySelectorAll(".yes")) button.disabled ||= !canApprove;
  for (const button of form.querySelectorAll(".no")) button.disabled ||= end !== null;
  if (end) form.querySelector("[data-left]")?.remove();
}

const { version, events } = document.body.dataset;
let shown = version;
let wanted = version;
let isBusy = false;

/** Takes over what is new. */
async function update() {
  if (wanted === shown || isBusy || isPointing()) return;
  isBusy = true;
  try {
    const response = await fetch(location.href, { headers: { accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    if (fresh.body.dataset.version === undefined) return;
    const main = document.querySelector("main");
    const before = main.innerHTML;
    mergeCards(fresh);
    mergePlan(fresh);
    replaceParts(fresh);
    document.title = fresh.title;
    // Buttons that may have moved take no press for a moment, by the style of this class.
    if (main.innerHTML !== before) document.body.classList.toggle("moved");
    countDown();
    shown = fresh.body.dataset.version;
  } catch {
    // The server may be away, which the stream says; it is tried again.
  } finally {
    isBusy = false;
  }
}

let source;
let isSignedOut = false;

function disconnect() {
  source?.close();
  source = undefined;
}

/** Nothing can be decided any more, because the sign-in has expired or ended. */
function signedOut() {
  disconnect();
  isSignedOut = true;
  say(status, "Your sign-in has ended.");
  if (reload) Object.assign(reload, { hidden: false, textContent: "Sign in again" });
  for (const button of document.querySelectorAll(".decide button")) button.disabled = true;
  say(byId("verdict"), "Your sign-in has ended. Reload this page to sign in again.");
}

function connect() {
  if (source || isSignedOut) return;
  source = new EventSource(events);
  source.addEventListener("open", () => {
    say(status, "New plans appear here without a reload.");
    if (reload) reload.hidden = true;
  });
  source.addEventListener("version", ({ data }) => {
    wanted = data;
    update();
  });
  source.addEventListener("signed-out", signedOut);
  source.addEventListener("error", () => {
    say(status, "The connection is lost, and is tried again.");
    if (reload) reload.hidden = false;
    // A browser gives up after some answers, such as a proxy's while the server starts again.
    if (source?.readyState !== EventSource.CLOSED) return;
    disconnect();
    setTimeout(connect, 3000);
  });
}

countDown();
setInterval(countDown, 1000);
if (events !== undefined) {
  connect();
  setInterval(update, 1000);
  // A browser opens few connections to one server, so that pages of plans in other tabs do without.
  if (!byId("plans")) document.addEventListener("visibilitychange", () => (document.hidden ? disconnect() : connect()));
  // A page that comes back with the back button shows what it showed before.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
}
