/** A message cut up as anybody would with `split`, so that nothing of our parser is needed to say what stands where. */
export class NaiveMessage {
  readonly #segments: readonly (readonly string[])[]

  constructor(bytes: Buffer) {
    this.#segments = bytes
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .split(/[\r\n]+/)
      .filter((line) => line !== '')
      .map((line) => (line.startsWith('MSH') ? ['MSH', ...line.slice(3).split('|')] : line.split('|')))
  }

  /** What stands at a place, raw; one value for each segment and repetition that holds something. */
  valuesAt({ segment, where, occurrence, field, repetition, component, subcomponent }: Place): string[] {
    const named = this.#segments.filter(([name]) => name === segment)
    const fitting = named.filter((fields) => where === undefined || where.values.includes(first(fields[where.field])))
    return at(fitting, occurrence)
      .flatMap((fields) => at((fields[field] ?? '').split('~'), repetition))
      .map((value) => (component === undefined ? value : (value.split('^')[component - 1] ?? '')))
      .map((value) => (subcomponent === undefined ? value : (value.split('&')[subcomponent - 1] ?? '')))
  }
}

/** `OBX{2=NM}[*]-5[0].1`: of the OBX whose second field is NM, all; of their fifth field the first repetition. */
export interface Place {
  readonly segment: string
  readonly where: { readonly field: number; readonly values: readonly string[] } | undefined
  readonly occurrence: number | 'all'
  readonly field: number
  readonly repetition: number | 'all'
  readonly component: number | undefined
  readonly subcomponent: number | undefined
}

const at = <Item>(list: readonly Item[], index: number | 'all'): readonly Item[] =>
  index === 'all' ? list : list.slice(index, index + 1)

const first = (field = ''): string => field.split('^')[0] ?? ''
