// The server writes every instant in UTC. Here it becomes the reader's own time; the exact instant stays on hover.
// Written as the reader is used to, in the language of the page.
const pageLanguage = document.documentElement.lang
const locale = navigator.languages.find((language) => language.startsWith(pageLanguage)) ?? pageLanguage
const formats: Record<string, Intl.DateTimeFormat> = {
  minute: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }),
  second: new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }),
}

export function showLocalTimes(within: ParentNode): void {
  for (const time of within.querySelectorAll<HTMLTimeElement>('time[data-precision]')) {
    const format = formats[time.dataset['precision'] ?? 'minute']
    const instant = new Date(time.dateTime)
    if (format !== undefined && !Number.isNaN(instant.getTime())) time.textContent = format.format(instant)
  }
}

showLocalTimes(document)
document.addEventListener('corridor:refreshed', (event) => {
  if (event.target instanceof Element) showLocalTimes(event.target)
})
