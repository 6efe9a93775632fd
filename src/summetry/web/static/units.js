// Words that are selected in a summary go into the field; without this they are typed there.
'use strict';

const characters = (text) => [...text].length;         // as the server counts, not in halves of them

document.addEventListener('selectionchange', () => {
  const selection = document.getSelection();
  if (!selection.rangeCount || selection.isCollapsed) return;
  const range = selection.getRangeAt(0);
  const inside = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement)?.closest('.reference');
  const text = inside(range.startContainer);
  if (!text || text !== inside(range.endContainer)) return;
  const before = document.createRange();
  before.selectNodeContents(text);
  before.setEnd(range.startContainer, range.startOffset);
  one('#new-unit').open = true;                        // on a phone it is folded
  // Whole words only: a selection that ends inside one goes on to its end.
  const whole = text.textContent;
  const isWord = (letter) => /[\p{L}\p{M}\p{N}]/u.test(letter ?? '');
  let start = before.toString().length;
  let end = start + range.toString().length;
  while (start < end && /\s/.test(whole[start])) start += 1;
  while (end > start && /\s/.test(whole[end - 1])) end -= 1;
  while (start > 0 && isWord(whole[start]) && isWord(whole[start - 1])) start -= 1;
  while (end < whole.length && isWord(whole[end - 1]) && isWord(whole[end])) end += 1;
  one('#words').value = whole.slice(start, end);
  one('#near').value = characters(whole.slice(0, start));
  one(`input[name="summary"][value="${text.dataset.summary}"]`).checked = true;
});

// Enter in the label of a unit ends the change of it; it adds nothing.
form.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !event.target.matches('.unit-head input')) return;
  event.preventDefault();
  event.target.blur();
});

// What was added is done with, unless other words have come meanwhile; what was refused stays to be mended.
form.addEventListener('htmx:afterSwap', () => {
  if (one('#said')) one('#new-unit').open = true;
  if (one('#outcome').dataset.added === undefined) return;
  ['#words', '#label'].map((field) => one(field)).filter(isUntouched).forEach((field) => { field.value = ''; });
  if (!one('#words').value) one('#near').value = '';
});
