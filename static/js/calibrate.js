// A log is read from a file into its box, its end where it is long: the steps of a warm-up do not count anyway.

const MOST_CHARACTERS = 500_000;

const file = document.getElementById('log-file');
const said = document.getElementById('log-file-said');

file.closest('.upload').hidden = false;
file.addEventListener('change', async () => {
  const [chosen] = file.files;
  if (!chosen) return;
  try {
    const text = await chosen.slice(Math.max(0, chosen.size - MOST_CHARACTERS)).text();
    const whole = chosen.size <= MOST_CHARACTERS;
    document.getElementById('log').value = whole ? text : text.slice(text.indexOf('\n') + 1);
    said.textContent = whole ? ` ${chosen.name}` : ` The end of ${chosen.name}`;
  } catch (error) {
    said.textContent = ` ${chosen.name} cannot be read: ${error.message}`;
  }
});
