/** A bar of text: it is drawn wherever Markdown is, and a change of it is seen in a diff. */
export function bar(value: number, most: number, cells = 20): string {
  if (!(most > 0) || !(value > 0)) return ''
  const eighthsIn = Math.max(1, Math.round((Math.min(value, most) / most) * cells * 8))
  return '█'.repeat(Math.floor(eighthsIn / 8)) + (eighths[eighthsIn % 8] ?? '')
}

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** In a cell of a table. */
export function drawnBar(value: number, most: number): string {
  const text = bar(value, most)
  return text === '' ? '' : `\`${text}\``
}

/** `12,300`, `3.46`, `0.0013`: three digits that count. */
export const figureText = (value: number): string =>
  value.toLocaleString('en', { maximumSignificantDigits: 3, useGrouping: true })
