// Shows /openapi.json with Swagger UI, in the theme of the page, and calls no other host.

const element = document.getElementById('api-docs');
const dark = matchMedia('(prefers-color-scheme: dark)');

function follow() {
  const theme = document.documentElement.dataset.theme || (dark.matches ? 'dark' : 'light');
  document.documentElement.classList.toggle('dark-mode', theme === 'dark');
}

follow();
document.addEventListener('themechange', follow);

window.SwaggerUIBundle({
  url: element.dataset.document,
  domNode: element,
  deepLinking: false, // its links lie inside buttons, where neither keyboard nor screen reader expects them
  validatorUrl: null,
  docExpansion: 'none', // of so many operations only those in view would be in the page, and a search in it would miss the rest
  defaultModelsExpandDepth: 0,
  syntaxHighlight: false,
});
