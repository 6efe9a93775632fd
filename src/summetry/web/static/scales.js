// Scales: a key gives a mark and moves on to the next scale. Loaded after task.js, whose names it uses.
'use strict';

const scales = all('[data-scale]', form);
const enter = (scale) => {
  (one('input:checked', scale) ?? one('input', scale)).focus({ preventScroll: true });
  scale.scrollIntoView({ block: 'nearest', behavior: 'instant' });
};
const held = () => scales.find((scale) => scale.contains(document.activeElement));
const isOpen = (scale) => !one('input:checked', scale) && !one('input[type="number"]', scale)?.value;

function step(by) {
  const at = scales.indexOf(held());
  const next = at < 0 ? scales.find(isOpen) ?? scales[0] : scales[at + by];
  if (next) enter(next);
}

function mark(key) {
  const scale = held() ?? scales.find(isOpen) ?? scales[0];
  const box = all('input[data-key]', scale).find((one) => one.dataset.key === key);
  if (!box) return false;
  box.click();
  const next = scales[scales.indexOf(scale) + 1];
  if (next) enter(next); else box.focus();
  return true;
}

// Before the keys of all tasks: a scale may have marks like J and K.
document.addEventListener('keydown', (event) => {
  if (one('dialog[open]') || event.ctrlKey || event.metaKey || event.altKey) return;
  const key = keyOf(event);
  if (typing(event.target)) {
    if (key !== 'Enter' || !event.target.matches('[data-scale] input')) return;
    step(event.shiftKey ? -1 : 1);
  } else if (mark(key.toLowerCase())) {
    // The mark is given.
  } else if (key === 'ArrowDown' || key === 'j') step(1);
  else if (key === 'ArrowUp' || key === 'k') step(-1);
  else if (key === 's' && one('#source')) one('#source').open = !one('#source').open;
  else return;
  event.preventDefault();
  event.stopPropagation();
}, true);

// A number that is out of range is not sent; say so where it stands.
form.addEventListener('htmx:validation:failed', (event) => event.target.reportValidity?.());

// After Undo numbers follow the server, as boxes do; see task.js.
form.addEventListener('htmx:afterSwap', (event) => {
  const now = one('#outcome')?.dataset.values;
  if (event.detail.requestConfig.elt === form || unsent() || now === undefined) return;
  const given = new Map(JSON.parse(now));
  all('[data-scale] input[type="number"]', form).forEach((field) => { field.value = given.get(field.name) ?? ''; });
});
