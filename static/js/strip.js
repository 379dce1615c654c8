// The strip of key figures: compact once it sticks; where its tabs lead down the page, the one in view is marked.

export function startStrip(page) {
  const strip = page.querySelector('.strip');
  const sentinel = page.querySelector('.strip-sentinel');
  const stuck = new IntersectionObserver(([entry]) => {
    strip.classList.toggle('stuck', !entry.isIntersecting && entry.boundingClientRect.top < 60);
  }, { rootMargin: '-49px 0px 0px' });
  stuck.observe(sentinel);

  const tabs = new Map([...strip.querySelectorAll('.tabs a[href^="#"]')].map((tab) => [tab.hash.slice(1), tab]));
  if (!tabs.size) return;
  const sections = [...page.querySelectorAll('section.part')];
  const mark = () => {
    const reached = sections.filter((section) => section.getBoundingClientRect().top < 200).at(-1) ?? sections[0];
    for (const [id, tab] of tabs) {
      if (id === reached?.id) tab.setAttribute('aria-current', 'true');
      else tab.removeAttribute('aria-current');
    }
  };
  let waiting = false;
  addEventListener('scroll', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      mark();
    });
  }, { passive: true });
  mark();
}
