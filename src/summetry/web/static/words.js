// With the shift key, all words from the one before that was chosen or left out follow it.
'use strict';

{
  const form = document.querySelector('#work');
  const boxes = [...form.querySelectorAll('.unit input')];
  let last = -1;
  let shift = false;
  const remember = (event) => { shift = event.shiftKey; };
  ['pointerdown', 'click', 'keydown', 'keyup'].forEach((name) => form.addEventListener(name, remember, true));
  // Before anything is sent: the request holds all of them.
  form.addEventListener('change', (event) => {
    const at = boxes.indexOf(event.target);
    if (at < 0) return;
    if (shift && last >= 0) {
      const [from, to] = [Math.min(last, at), Math.max(last, at)];
      boxes.slice(from, to + 1).forEach((box) => { box.checked = event.target.checked; });
    }
    last = at;
  }, true);
}
