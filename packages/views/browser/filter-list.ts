// <input type="search" data-filters="operations"> hides what does not contain every typed word, without a round trip.
for (const search of document.querySelectorAll<HTMLInputElement>('input[data-filters]')) {
  const list = document.getElementById(search.dataset['filters'] ?? '')
  const output = document.querySelector<HTMLOutputElement>(`output[for="${search.id}"]`)
  if (list !== null) search.addEventListener('input', () => filter(list, search.value, output))
}

function filter(list: HTMLElement, typed: string, output: HTMLOutputElement | null): void {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  // An operation stands in the index and in the text; it is one.
  const found = new Set<string>()
  for (const item of list.querySelectorAll<HTMLElement>('[data-filter-text]')) {
    const text = item.dataset['filterText'] ?? ''
    item.hidden = !words.every((word) => text.includes(word))
    if (!item.hidden) found.add(text)
  }
  for (const group of list.querySelectorAll<HTMLElement>('[data-filter-group]')) {
    group.hidden = group.querySelector('[data-filter-text]:not([hidden])') === null
  }
  if (output !== null) output.value = words.length === 0 ? '' : `${found.size} found`
}
