import { missing, unprocessable, type Fault } from '../../../packages/faults/fault.ts'
import type { TerminologySource } from './source.ts'

const words = { ValueSet: 'value set', ConceptMap: 'concept map' } as const

/** What nobody has, and what is stored but cannot be used: clients write the latter again for ever otherwise. */
export async function notKnown(
  type: keyof typeof words,
  canonical: string,
  source: Pick<TerminologySource, 'whyNot'>,
): Promise<Fault> {
  const why = await source.whyNot?.(type, canonical)
  return why === undefined
    ? missing(`The ${words[type]} ${canonical} is not known here.`)
    : unprocessable(`The ${words[type]} ${canonical} is stored, but cannot be used. ${why}`)
}
