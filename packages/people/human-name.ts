import type { HumanName } from '../fhir/r4.ts'

/** The chosen name as written, else its parts with the title before them. */
export function nameOf(names: readonly HumanName[] = []): string | undefined {
  const { text, prefix = [], given = [], family = '' } = chosenName(names) ?? {}
  const words = (text ?? [...prefix, ...given, family].join(' ')).trim()
  return words === '' ? undefined : words
}

/** The official name, else the usual one, else the first. */
export function chosenName(names: readonly HumanName[] = []): HumanName | undefined {
  return names.find(({ use }) => use === 'official') ?? names.find(({ use }) => use === 'usual') ?? names.at(0)
}
