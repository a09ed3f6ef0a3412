// `/` goes to the page's search box, `?` shows the shortcuts. Neither steals a key from someone who is typing.
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  if (event.key === '/') {
    const search = document.querySelector<HTMLInputElement>('input[type="search"]')
    if (search === null) return
    event.preventDefault()
    search.focus()
    search.select()
  }
  if (event.key === '?') {
    const hints = document.querySelector<HTMLDialogElement>('dialog[data-keyboard-hints]')
    if (hints !== null && !hints.open) hints.showModal()
  }
})

// Buttons name the dialog they open, so that no page needs a script of its own for it.
document.addEventListener('click', (event) => {
  const opener = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-opens]') : null
  const dialog = opener === null ? null : document.getElementById(opener.dataset['opens'] ?? '')
  if (dialog instanceof HTMLDialogElement) dialog.showModal()
})

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
}
