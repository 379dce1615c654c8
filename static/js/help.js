// On a narrow screen the contents of a document begin closed, so that its text is seen.

const contents = document.querySelector('.help-contents details');
if (contents && matchMedia('(max-width: 960px)').matches) contents.open = false;
