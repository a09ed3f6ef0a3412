import type { HumanName } from '../../../packages/fhir/r4.ts'

/** As written, else given names and family name. */
export function nameOf(names: readonly HumanName[] = []): string | null {
  const name = chosenName(names)
  const text = name?.text ?? [...(name?.given ?? []), name?.family ?? ''].join(' ')
  return text.trim() === '' ? null : text.trim()
}

/** The official name, else the usual one, else the first. */
export function chosenName(names: readonly HumanName[] = []): HumanName | undefined {
  return names.find(({ use }) => use === 'official') ?? names.find(({ use }) => use === 'usual') ?? names.at(0)
}
