// Which first lines of the chosen files will be titles. The rule is that of text/titles.py.
'use strict';

{
  const files = document.querySelector('#files');
  const tick = document.querySelector('input[name="titles"]');
  const list = document.querySelector('#titles-preview');
  const most = 8;

  function titleOf(text) {
    const found = /^\s*([^\n]+)\n[^\S\n]*\n\s*\S/u.exec(text.replaceAll('\r\n', '\n'));
    const title = found ? found[1].trim().split(/\s+/u).join(' ') : '';
    const isShort = title.length > 0 && title.length <= 120 && title.split(' ').length <= 18;
    const ends = /[.!?…:;,。！？।؟۔][\p{Pe}\p{Pf}"']*$/u.test(title);
    const isItem = /^(?:[-*•‣▪]\s|\d{1,2}[.)]\s)/u.test(title);
    return isShort && /\p{L}/u.test(title) && !ends && !isItem ? title : '';
  }

  async function show() {
    const texts = [...files.files].filter((file) => /\.txt$/iu.test(file.name)).slice(0, most);
    const lines = await Promise.all(texts.map(async (file) => {
      const title = titleOf(await file.slice(0, 4000).text());
      const words = title ? list.dataset.with : list.dataset.without;
      return words.replace('{file}', () => file.name).replace('{title}', () => title);
    }));
    list.replaceChildren(...lines.map((words) => Object.assign(document.createElement('li'), { textContent: words })));
    list.hidden = !tick.checked || lines.length === 0;
  }
  if (files && tick && list) [files, tick].forEach((field) => field.addEventListener('change', show));
}
