/** A segment with these fields: `segment('DG1', { 3: 'I21.0^^I10' })`. */
export function segment(name: string, fields: Readonly<Record<number, string>>): string {
  const last = Math.max(...Object.keys(fields).map(Number))
  return [name, ...Array.from({ length: last }, (_, at) => fields[at + 1] ?? '')].join('|')
}
