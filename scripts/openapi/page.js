const usual = 'http://127.0.0.1:8080';
const said = document.getElementById('said');
for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;

document.addEventListener('click', async ({target}) => {
  if (!(target instanceof HTMLButtonElement) || !target.matches('.copy')) return;
  const shown = target.nextElementSibling;
  const copied = await copy(shown.dataset.curl.replace(usual, location.origin), shown);
  target.textContent = copied ? 'Copied' : 'Press Ctrl+C to copy';
  said.textContent = target.textContent;
  setTimeout(() => {
    target.textContent = 'Copy as curl';
    said.textContent = '';
  }, 2000);
});

async function copy(text, shown) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Over plain HTTP from elsewhere there is no clipboard: it is shown, selected.
    shown.textContent = text;
    getSelection().selectAllChildren(shown);
    return false;
  }
}
