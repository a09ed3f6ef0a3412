/**
 * As much of a text as fits its place on a page. Whoever wrote more wrote something else than a name or a lot; and to set
 * twenty thousand letters took minutes in which nobody else was served.
 */
export function short(text: string, lettersMax = 300): string {
  if (text.length <= lettersMax) return text
  return `${Array.from(text.slice(0, 2 * lettersMax))
    .slice(0, lettersMax)
    .join('')}…`
}
