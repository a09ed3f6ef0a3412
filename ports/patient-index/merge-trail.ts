import type { Patient } from '../../packages/fhir/r4.ts'
import { linkedPatientId } from './golden-link.ts'

/** Where the merges of a record lead. */
export interface MergeTrail<Found extends Patient> {
  /** Into whom it was merged, and into whom that one was since, the last at the end; none where it was not merged. */
  readonly survivors: readonly Found[]
  /** `stands`: the last is a record in use; `absent`: the next is not there; `circle`: they lead nowhere. */
  readonly end: 'stands' | 'absent' | 'circle'
}

/** Follows `replaced-by` from a record to the one that stayed. */
export async function mergeTrail<Found extends Patient>(
  merged: Found,
  read: (id: string) => Promise<Found | undefined>,
): Promise<MergeTrail<Found>> {
  const survivors: Found[] = []
  let last = merged
  while (survivors.length < mergesMax) {
    const id = linkedPatientId(last, 'replaced-by')
    if (id === undefined) return { survivors, end: 'stands' }
    if (id === merged.id || survivors.some((one) => one.id === id)) return { survivors, end: 'circle' }
    const next = await read(id)
    if (next === undefined) return { survivors, end: 'absent' }
    survivors.push(next)
    last = next
  }
  return { survivors, end: linkedPatientId(last, 'replaced-by') === undefined ? 'stands' : 'circle' }
}

/** The one at its end, where there is one and it stands. */
export const lastSurvivor = <Found extends Patient>({ survivors, end }: MergeTrail<Found>): Found | undefined =>
  end === 'stands' ? survivors.at(-1) : undefined

/** Who stayed may have been merged away since, but not for ever. */
export const mergesMax = 8
