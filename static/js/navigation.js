// The menus of the header: Escape and a click elsewhere close them, arrow keys move inside one.
// Below 1,100 px the header's menu button shows all of them at once.

const nav = document.getElementById('main-nav');
const menus = [...nav.querySelectorAll('details')];
const open = () => menus.find((menu) => menu.open);
const isNarrow = () => getComputedStyle(nav).position === 'fixed';

function close(menu, focus = false) {
  menu.open = false;
  if (focus) menu.querySelector('summary').focus();
}

nav.addEventListener('keydown', (event) => {
  if (isNarrow()) return;
  const menu = event.target.closest('details');
  const links = [...menu.querySelectorAll('a')];
  const place = links.indexOf(document.activeElement);
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const turn = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (event.key === 'Escape' && menu.open) {
    event.preventDefault();
    close(menu, true);
  } else if (move) {
    event.preventDefault();
    menu.open = true;
    const next = place < 0 ? (move > 0 ? 0 : links.length - 1) : (place + move + links.length) % links.length;
    links[next].focus();
  } else if (turn) {
    event.preventDefault();
    const other = menus[(menus.indexOf(menu) + turn + menus.length) % menus.length];
    other.open = menu.open; // one name: opening one closes the others
    other.querySelector('summary').focus();
  }
});
document.addEventListener('pointerdown', (event) => {
  if (open() && !isNarrow() && !event.target.closest('.nav-menu')) close(open());
});
nav.addEventListener('focusout', (event) => {
  const menu = event.target.closest('details');
  if (!isNarrow() && menu?.open && event.relatedTarget && !menu.contains(event.relatedTarget)) close(menu);
});
nav.addEventListener('toggle', (event) => {
  if (event.target !== nav) return;
  for (const menu of menus) {
    if (event.newState === 'open') menu.removeAttribute('name');
    menu.open = event.newState === 'open';
    if (event.newState !== 'open') menu.setAttribute('name', 'main-nav');
  }
});
