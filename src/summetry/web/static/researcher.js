// Buttons that copy a link. Without this, links are selected and copied by hand.
'use strict';

document.querySelectorAll('[data-copy]').forEach((button) => {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('click', async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      button.classList.add('done');
    } catch {
      // Outside of https there is no clipboard; the selected text can be copied by the keyboard.
      field.focus();
    }
  });
});
document.querySelectorAll('time[datetime]').forEach((time) => {
  const moment = new Date(time.getAttribute('datetime'));
  const two = (number) => String(number).padStart(2, '0');
  time.textContent = `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${two(moment.getHours())}:${two(moment.getMinutes())}`;
});
