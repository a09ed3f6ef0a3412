/** Whether a browser asks: HTML is named, and nothing that a program would rather read is named as liked as much. */
export function prefersHtml(accept: string | undefined): boolean {
  if (accept === undefined) return false
  const weights = new Map(accept.split(',').map(weightOf))
  const html = Math.max(weights.get('text/html') ?? 0, weights.get('application/xhtml+xml') ?? 0)
  const json = Math.max(0, ...[...weights].filter(([type]) => type.endsWith('json')).map(([, weight]) => weight))
  return html > json
}

function weightOf(part: string): [string, number] {
  const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase())
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  const weight = q === undefined ? 1 : Number(q)
  return [type, Number.isFinite(weight) ? weight : 0]
}
