/** Whether a browser asks: HTML is named, and nothing that a program would rather read is named as liked as much. */
export const prefersHtml = (accept: string | undefined): boolean => likesHtml(accept ?? '', htmlTypes)

/** Whether a page will do: a browser asks, or somebody who takes anything, as curl does. */
export const takesHtml = (accept: string | undefined): boolean =>
  likesHtml(accept ?? '*/*', [...htmlTypes, ...anything])

const htmlTypes = ['text/html', 'application/xhtml+xml']
const anything = ['text/*', '*/*']

function likesHtml(accept: string, types: readonly string[]): boolean {
  const weights = new Map(accept.split(',').map(weightOf))
  const html = Math.max(0, ...types.map((type) => weights.get(type) ?? 0))
  const json = Math.max(0, ...[...weights].filter(([type]) => type.endsWith('json')).map(([, weight]) => weight))
  return html > json
}

function weightOf(part: string): [string, number] {
  const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const weight = q === undefined ? 1 : Number(q)
  return [type, Number.isFinite(weight) ? weight : 0]
}
