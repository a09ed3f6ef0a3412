import type { Identifier } from '../../../../../packages/fhir/r4.ts'
import type { SegmentList } from '../../../../../packages/hl7/index.ts'
import type { Draft } from '../../draft.ts'
import { visitNumber } from '../../encounter.ts'
import type { VisitEvent } from '../../visit-event.ts'
import { noLongerOld } from './change.ts'

/**
 * A visit that MRG-5 names as it was known before. PV1-19 may give it another number, and it is the same visit. One value is one
 * number, whether or not both fields name its authority.
 */
export function renumbered(
  prior: Identifier | undefined,
  segments: Pick<SegmentList, 'segment' | 'segments'>,
  draft: Draft,
): Pick<VisitEvent, 'prior' | 'removes'> {
  const current = visitNumber(segments, draft)
  if (prior === undefined || current?.value === prior.value) return {}
  if (current !== undefined) return { prior, removes: noLongerOld([current]) }
  const { use: _old, ...own } = prior
  return { prior: own }
}
