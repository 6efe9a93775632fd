// Keys, the state of saving, and choices that could not be saved. Every page works without this.
'use strict';

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const form = one('#work');
// With a Greek keyboard the key j gives ξ: letters are then those at the same place of a Latin one.
const keyOf = (event) => {
  const place = /^Key([A-Z])$/.exec(event.code);
  if (!place || /^[\x20-\x7e]/.test(event.key)) return event.key;
  return event.shiftKey ? place[1] : place[1].toLowerCase();
};
const texts = 'textarea, input[type="text"]';
const typing = (target) => target.matches(`${texts}, select, input[type="number"], input[type="search"]`);
const kept = `summetry:${form.dataset.key}`;
let running = 0;                                       // saves that are on their way
let waiting = null;                                    // a button pressed meanwhile
let pressed = [];                                      // names and values of those that htmx sends
let requested = new Map();                             // the text fields as the last request held them
let steps = [];                                        // the form after each change that no request holds yet
let sent = [];                                         // and those of the request that is on its way
const unsent = () => steps.length > 0;

// ── saving ─────────────────────────────────────────────────────────────
const fields = () => [...new FormData(form)].filter(([name]) => name !== 'csrf' && name !== 'version');
const values = () => JSON.stringify(fields());

function state(words, kind, retry) {
  const line = one('#saved');
  if (!line) return;
  line.className = `state ${kind}`;
  line.textContent = words;
  if (retry) {
    const button = Object.assign(document.createElement('button'), { type: 'button', className: 'button slim', textContent: form.dataset.retry });
    button.addEventListener('click', save);
    line.append(' ', button);
  }
}

// One save is on its way at a time. What is changed meanwhile goes with the next one, each change as a
// step of its own, so that Undo takes back one click. Far more than anybody clicks in that time is
// not kept apart.
const mostSteps = 100;
const mostLetters = 500000;
function addStep() {
  steps.push(new URLSearchParams(fields()).toString());
  while (steps.length > mostSteps || (steps.length > 1 && steps.join('').length > mostLetters)) steps.shift();
}
// “None of these” goes with no other box; each takes the other back.
const alone = one('[data-alone]', form);
form.addEventListener('change', ({ target }) => {
  if (!alone || target.type !== 'checkbox' || !target.checked) return;
  all('input[type="checkbox"]', form).forEach((box) => { if (box !== target && [box, target].includes(alone)) box.checked = false; });
}, true);
form.addEventListener('change', addStep);
form.addEventListener('htmx:configRequest', (event) => {
  if (event.target !== form) return;
  // htmx sends the button that was pressed last with every later change; a change presses none.
  ['do', 'remove'].forEach((name) => event.detail.formData.delete(name));
  // The last step is the form itself.
  steps.slice(0, -1).forEach((step) => event.detail.formData.append('earlier', step));
});
// A number that is out of range is not sent.
form.addEventListener('htmx:validation:halted', () => { steps.pop(); pressed = []; });
form.addEventListener('htmx:beforeRequest', (event) => {
  running += 1;
  [sent, steps] = event.target === form ? [steps, []] : [[], steps];
  requested = new Map(all(texts, form).map((field) => [field, field.value]));
  state(form.dataset.saving, 'saving');
});
form.addEventListener('htmx:afterRequest', (event) => {
  running -= 1;
  if (event.detail.successful) localStorage.removeItem(kept);
});
const save = () => form.dispatchEvent(new Event('later'));
// A save replaces the buttons in the panel. One that is pressed meanwhile would be gone before htmx
// sends it, so it waits, and the one that has come in its place is pressed.
document.addEventListener('click', (event) => {
  const button = event.target.closest('button[hx-post]');
  if (!button || (running === 0 && !unsent())) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  pressed.push([button.name, button.value]);
  if (running === 0) save();                           // what could not be saved before
}, true);
form.addEventListener('htmx:afterSettle', () => {
  if (!pressed.length || running > 0 || unsent()) return;
  const [name, value] = pressed.shift();
  all('button[hx-post]').find((button) => button.name === name && button.value === value)?.click();
});
function failed() {
  pressed = [];
  [steps, sent] = [[...sent, ...steps], []];
  localStorage.setItem(kept, values());
  waiting = null;
  state(form.dataset.failed, 'failed', true);
}
form.addEventListener('htmx:sendError', failed);
form.addEventListener('htmx:timeout', failed);
const tellsProblem = (xhr) => [403, 409].includes(xhr.status) && xhr.responseText.includes('data-problem');
form.addEventListener('htmx:responseError', ({ detail: { xhr } }) => {
  if (tellsProblem(xhr)) [pressed, waiting] = [[], null];
  else failed();
  // A server that was busy for too long says when to try again.
  const seconds = Number(xhr.getResponseHeader('retry-after'));
  if (seconds) setTimeout(() => { if (running === 0 && unsent()) save(); }, 1000 * seconds);
});
// A conflict and a closed study are told where the time of saving stands; what is on the page stays.
form.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (tellsProblem(detail.xhr)) Object.assign(detail, { shouldSwap: true, target: one('#saved'), swapOverride: 'outerHTML' });
});

// ── the answer to a save ───────────────────────────────────────────────
// Only what differs is changed, so that the focus, folds and what is scrolled stay. A text follows the
// server unless somebody has typed since the request was sent.
const isUntouched = (field) => !requested.has(field) || field.value === requested.get(field);
const identity = (node) => node.dataset?.unit ?? node.id ?? '';
const isSame = (node, fresh) => node?.nodeName === fresh.nodeName && identity(node) === identity(fresh);
function redraw(node, fresh) {
  if (node.nodeType !== Node.ELEMENT_NODE) {
    if (node.data !== fresh.data) node.data = fresh.data;
    return;
  }
  const mayDiffer = (name) => name === 'open' && node.matches('details');
  [...node.attributes].forEach(({ name }) => { if (!fresh.hasAttribute(name) && !mayDiffer(name)) node.removeAttribute(name); });
  [...fresh.attributes].forEach(({ name, value }) => { if (node.getAttribute(name) !== value && !mayDiffer(name)) node.setAttribute(name, value); });
  const rest = [...node.childNodes];
  [...fresh.childNodes].forEach((child) => {
    // What has an identity is looked for; anything else is what comes next.
    const at = identity(child) ? rest.findIndex((one) => isSame(one, child)) : isSame(rest[0], child) - 1;
    if (at < 0) return node.insertBefore(child, rest[0] ?? null);
    rest.splice(0, at).forEach((gone) => gone.remove());
    return redraw(rest.shift(), child);
  });
  rest.forEach((gone) => gone.remove());
  if (node.matches(texts) && isUntouched(node) && node.value !== node.defaultValue) node.value = node.defaultValue;
}
window.htmx?.defineExtension('redraw', {
  handleSwap: (style, target, fragment) => {
    redraw(target, fragment.firstElementChild);
    return [target];
  },
});

// After Undo and Remove the boxes follow the server. After a change they are ahead of it: one that
// is chosen while a save is on its way must stay chosen.
function follow() {
  const { set, values } = one('#outcome').dataset;
  if (values !== undefined) {
    const chosen = new Set(JSON.parse(values).map((pair) => pair.join(' ')));
    all('input[type="checkbox"], input[type="radio"]', form).forEach((box) => { box.checked = chosen.has(`${box.name} ${box.value}`); });
  }
  if (set === undefined) return;
  const chosen = new Set(set.split(' ').filter(Boolean));
  all('.unit input', form).forEach((box) => { box.checked = chosen.has(box.value); });
}
form.addEventListener('htmx:afterSwap', (event) => {
  if (event.detail.requestConfig.elt !== form) {
    steps = steps.slice(-1);                           // the earlier ones count units as they were before
    if (!unsent()) follow();
  }
  localTimes();
  ready();
  if (!waiting || unsent()) return;
  const button = waiting;                              // pressed while this save was on its way
  waiting = null;
  setTimeout(() => form.requestSubmit(button));
});

function localTimes() {
  all('time[datetime]').forEach((time) => {
    time.textContent = new Date(time.getAttribute('datetime')).toTimeString().slice(0, 5);
  });
}

// ── a button that cannot be used yet says why ──────────────────────────
const goOn = one('#go-on');
function ready() {
  goOn?.setAttribute('aria-disabled', String(Boolean(one('#outcome')?.dataset.missing)));
}
form.addEventListener('submit', (event) => {
  const button = event.submitter;
  if (button?.name === 'remove' || button?.value === 'undo') return;
  if (running > 0 || unsent()) {
    event.preventDefault();
    waiting = button;
    if (running === 0) save();
  } else if (button === goOn && goOn.getAttribute('aria-disabled') === 'true') {
    event.preventDefault();
    const verdict = one('#length-verdict') ?? one('[data-verdict]');
    verdict?.classList.remove('flash');
    requestAnimationFrame(() => verdict?.classList.add('flash'));
    one('#outcome a[href="#abstract"]')?.click();
  }
});

// ── a link of the panel leads to a sentence or a field ─────────────────
document.addEventListener('click', (event) => {
  const link = event.target.closest('#outcome a[href^="#"]');
  if (!link) return;
  event.preventDefault();
  const place = one(link.getAttribute('href'));
  const fold = place.closest('details');
  if (fold) fold.open = true;
  place.scrollIntoView({ block: 'center' });
  place.classList.remove('flash');
  requestAnimationFrame(() => place.classList.add('flash'));
  (one('input', place) ?? place).focus({ preventScroll: true });
});

// ── keys: the focus is the cursor ──────────────────────────────────────
const stops = () => all('.unit input, [data-stop]', form);
function move(step, byParagraph) {
  const places = stops();
  let at = places.indexOf(document.activeElement);
  if (byParagraph && at >= 0) {
    const block = places[at].closest('p, fieldset, section');
    do at += step; while (places[at] && places[at].closest('p, fieldset, section') === block);
  } else {
    at = at < 0 ? (step > 0 ? 0 : places.length - 1) : at + step;
  }
  if (!places[at]) return;
  places[at].focus({ preventScroll: true });
  (places[at].closest('.unit') ?? places[at]).scrollIntoView({ block: 'nearest', behavior: 'instant' });
}

// Letters meant for a field that an answer has removed are no commands.
let focused = null;
document.addEventListener('focusin', ({ target }) => { focused = target; });
document.addEventListener('pointerdown', () => { focused = null; });
const isAdrift = () => document.activeElement === document.body && focused?.isConnected === false && typing(focused);

document.addEventListener('keydown', (event) => {
  if (typing(event.target) || isAdrift() || one('dialog[open]')) return;
  const key = keyOf(event);
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey || (control && key !== 'z')) return;
  const isRadio = event.target.matches('input[type="radio"]');
  if (key === 'j' || (key === 'ArrowDown' && !isRadio)) move(1);
  else if (key === 'k' || (key === 'ArrowUp' && !isRadio)) move(-1);
  else if (key === 'J') move(1, true);
  else if (key === 'K') move(-1, true);
  else if (key === 'u' || (control && key === 'z')) one('#undo')?.click();
  else if (key === '?') one('#all-keys')?.showModal();
  else if (key === 'Enter' && goOn && !event.target.matches('a, button, summary')) form.requestSubmit(goOn);
  else return;
  event.preventDefault();
});

// ── at the start ───────────────────────────────────────────────────────
const narrow = matchMedia('(max-width: 62rem)');       // the sheet of a phone starts closed
const sheet = () => { all('.sheet .fold').forEach((fold) => { fold.open = !narrow.matches; }); };
narrow.addEventListener('change', sheet);
sheet();
localTimes();
ready();
// Choices that could not be saved last time are put back and saved now, and so is what was changed on
// the page before this script was there; htmx listens only when the whole page is there.
document.addEventListener('DOMContentLoaded', () => {
  const early = all('input, textarea', form)
    .filter((field) => field.checked !== field.defaultChecked || field.value !== field.defaultValue)
    .map((field) => [field, field.checked, field.value]);
  const unsaved = localStorage.getItem(kept);
  localStorage.removeItem(kept);
  const back = unsaved && unsaved !== values();
  if (back) {
    const chosen = JSON.parse(unsaved);
    all('input[type="checkbox"], input[type="radio"]', form).forEach((box) => { box.checked = chosen.some(([name, value]) => name === box.name && value === box.value); });
    chosen.forEach(([name, value]) => { const field = form.elements[name]; if (field?.matches?.('textarea, input[type="text"], input[type="number"]')) field.value = value; });
    early.forEach(([field, checked, value]) => Object.assign(field, field.matches('[type="checkbox"], [type="radio"]') ? { checked } : { value }));
  }
  if (!back && !early.length) return;
  steps = [];
  addStep();
  save();
});
