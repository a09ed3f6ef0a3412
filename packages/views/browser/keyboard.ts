// `/` goes to the search box, of the page or of the one that <body data-search> names; `?` shows the shortcuts. Neither
// steals a key from someone who is typing, or who has switched them off, which all services of the host shall know.
const keys = document.querySelector<HTMLInputElement>('[data-keys]')
const hints = keys?.closest('dialog')
if (keys !== null) keys.checked = !document.cookie.includes('keys=off')
keys?.addEventListener('change', () => {
  document.cookie = `keys=${keys.checked ? 'on' : 'off'};path=/;max-age=31536000`
})

document.addEventListener('keydown', (event) => {
  if (keys?.checked === false || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (event.key === '/' && goToSearch()) event.preventDefault()
  if (event.key === '?' && hints?.open === false) hints.showModal()
})

if (location.hash === '#search') goToSearch()

function goToSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('input[type="search"]')
  const elsewhere = document.body.dataset['search']
  search?.focus()
  search?.select()
  if (search === null && elsewhere !== undefined) location.assign(`${elsewhere}#search`)
  return search !== null || elsewhere !== undefined
}

// Buttons name the dialog they open, so that no page needs a script of its own for it.
document.addEventListener('click', (event) => {
  const opener = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-opens]') : null
  const dialog = opener === null ? null : document.getElementById(opener.dataset['opens'] ?? '')
  if (!(dialog instanceof HTMLDialogElement)) return
  dialog.showModal()
  // What is asked, if anything is: the browser would go to the button that closes it.
  dialog.querySelector<HTMLElement>('form.form :is(input:not([type="hidden"]), select, textarea)')?.focus()
})

// Whoever has sent a form goes on at the first field that is wrong.
document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
