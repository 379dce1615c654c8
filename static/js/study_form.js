// The boxes of requirements: on the home page and on the page of a study.

// A list of checks says what is chosen, and closes with Escape or a click elsewhere.
for (const details of document.querySelectorAll('.study-checks details')) {
  const chosen = details.querySelector('.study-chosen');
  details.addEventListener('change', () => {
    const names = [...details.querySelectorAll('input:checked')].map((input) => input.nextElementSibling.textContent);
    chosen.textContent = names.length ? names.slice(0, 2).join(', ') + (names.length > 2 ? ` and ${names.length - 2} more` : '') : chosen.dataset.any;
  });
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !details.open) return;
    details.open = false;
    details.querySelector('summary').focus();
  });
}
document.addEventListener('click', ({ target }) => {
  for (const details of document.querySelectorAll('.study-checks details[open]')) if (!details.contains(target)) details.open = false;
});
