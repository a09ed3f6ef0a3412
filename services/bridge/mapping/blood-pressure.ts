import type { Observation, ObservationComponent } from '../../../packages/fhir/r4.ts'
import { concept } from './code-map.ts'
import { compact } from './compact.ts'
import type { Draft } from './draft.ts'
import { derivedKey } from './drafted-keys.ts'
import { keyIdentifier } from './keys.ts'
import type { Key } from './mapped.ts'
import { everyComponent, isFirst, replacedBy, timeOfResult, type ReadObservation } from './observation.ts'
import type { ObservationAbout } from './observation-about.ts'
import { loinc } from './terms.ts'
import { isSameMoment } from './time-name.ts'

/**
 * R4's profile of the blood pressure is one panel with two components: the pairs among these results become that. One
 * that comes alone (a correction, as a rule) amends the panel where there is one; else it is a result of its own.
 */
export function bloodPressures(
  results: readonly ReadObservation[],
  about: ObservationAbout,
  draft: Draft,
): readonly ReadObservation[] {
  const halves = results.filter(isHalf)
  if (halves.length === 0) return results
  const inPlace = new Map<ReadObservation, readonly ReadObservation[]>()
  const measurements = [...Map.groupBy(halves, measurementOf).values()]
  for (const sameTime of measurements) {
    const systolics = sameTime.filter((one) => isOf(one, systolic))
    const diastolics = sameTime.filter((one) => !isOf(one, systolic))
    for (let count = 0; count < Math.max(systolics.length, diastolics.length); count++) {
      const [first, ...others] = [systolics[count], diastolics[count]].filter((half) => half !== undefined)
      if (first === undefined) continue
      const measured = [first, ...others] as const
      const isOnly = measurements.length === 1 && sameTime.length === measured.length
      const panel = panelOf(measured, { count, isOnly }, about, draft)
      const isPair = others.length > 0
      if (!isPair) draft.put(panel.resource, panel.options)
      else for (const half of measured) takeBackAlone(half, panel, draft)
      for (const [index, half] of measured.entries()) {
        const ownPlace = isPair && !half.isMistake ? [] : [unlessIn(panel, isPair ? withoutTrace(half) : half, draft)]
        inPlace.set(half, isPair && index === 0 ? [panel, ...ownPlace] : ownPlace)
      }
    }
  }
  return results.flatMap((one) => inPlace.get(one) ?? [one])
}

const systolic = '8480-6'
const diastolic = '8462-4'

const isHalf = (one: ReadObservation): boolean =>
  (isOf(one, systolic) || isOf(one, diastolic)) &&
  one.resource.component === undefined &&
  one.resource.derivedFrom === undefined

const isOf = ({ resource }: ReadObservation, code: string): boolean =>
  resource.code.coding?.some((one) => one.system === loinc && one.code === code) === true

/** The same for what was measured at the same time, with the same sub-id. */
const measurementOf = ({ obx }: ReadObservation): string =>
  `${obx.rawField(4) ?? ''}${obx.syntax.delimiters.field}${obx.rawField(14) ?? ''}`

/** Of a pair that is taken back the panel leaves the trace. */
const withoutTrace = (half: ReadObservation): ReadObservation => ({
  ...half,
  options: { ...half.options, leavesTrace: false },
})

/** A half of a panel that is stored is not stored beside it. */
function unlessIn({ key }: ReadObservation, half: ReadObservation, draft: Draft): ReadObservation {
  return { ...half, options: { ...half.options, unlessStored: draft.fullUrl('Observation', key) } }
}

/**
 * A half that came before the other, or before anybody knew what its code means, is stored as a result of its own. The number
 * of one that has one (OBX-21) goes to the panel: on both, it would find two.
 */
function takeBackAlone(half: ReadObservation, panel: ReadObservation, draft: Draft): void {
  const { key, resource, isMistake } = half
  if (isMistake) return
  const { resourceType, effectiveDateTime, effectivePeriod, subject } = resource
  const alone = compact<Partial<Observation>>({
    ...{ resourceType, status: 'entered-in-error', effectiveDateTime, effectivePeriod },
  })
  const { system, value } = key
  const isNumbered = ownNumbers(half).length > 0
  // Sound: it is merged into a result that has the rest, and creates none.
  draft.put(alone as Observation, {
    key,
    otherKeys: half.options.otherKeys,
    mode: 'amend',
    toldIn: draft.fullUrl('Observation', panel.key),
    // Whose it must be: another patient's may have the number.
    defaults: { subject },
    ...(isNumbered ? { removes: [{ element: 'identifier', where: { system, value } }] } : {}),
  })
}

/** Of both, told anew; of one alone, what it changes in what is stored. */
function panelOf(
  halves: readonly [ReadObservation, ...ReadObservation[]],
  { count, isOnly }: { readonly count: number; readonly isOnly: boolean },
  about: ObservationAbout,
  draft: Draft,
): ReadObservation {
  const lead = halves.find(({ isMistake }) => !isMistake) ?? halves[0]
  const subId = lead.obx.text(4)?.trim() ?? ''
  const keyOf = (sub: string) => panelKey(lead, sub, count, about, draft)
  const key = keyOf(subId)
  const isPair = halves.length === 2
  const isMistake = isPair && lead.isMistake
  const notes = halves.flatMap(({ resource }) => resource.note ?? [])
  const { note: _notes, status: _status, ...shared } = lead.resource
  const resource = {
    ...parted(shared, false),
    identifier: [keyIdentifier(key), ...halves.flatMap(ownNumbers)],
    code: concept(loinc, panel, 'Blood pressure panel with all children optional'),
    ...statusOf(halves, isMistake),
    // What is taken back as a whole stays as it was told.
    ...(isMistake ? {} : { component: halves.map(componentOf) }),
    ...(notes.length === 0 ? {} : { note: notes }),
    // Sound: the default gives the status that R4 demands.
  } as Observation
  const options = {
    ...lead.options,
    ...{ key, exactKeys: undefined },
    // As any other result, it may have come without OBX-4 before.
    otherKeys: isOnly && isFirst(subId) ? [keyOf('')] : [],
    mode: isPair && !isMistake ? 'upsert' : 'amend',
    leavesTrace: isMistake,
    deletes: isMistake ? [] : replacedBy(resource),
    removes: isPair && !isMistake ? [everyComponent] : [],
  } as const
  return { ...lead, key, resource, options, isMistake }
}

const panel = '85354-9'

/**
 * The time counts where it is not that of the report: of several measurements in one report, a correction names one. And
 * without a report only the time tells one measurement from the next.
 */
function panelKey(
  { obx, resource }: ReadObservation,
  subId: string,
  count: number,
  about: ObservationAbout,
  draft: Draft,
): Key {
  const isTimeOfReport = isSameMoment(resource.effectiveDateTime, about.inherited?.effectiveDateTime)
  const time = isTimeOfReport ? [] : [timeOfResult(obx, draft) ?? '']
  return derivedKey(draft, 'observation', about.within, panel, subId, ...time, String(count))
}

/** Where the two differ: what is still to come, else what was changed. A half that was taken back is a change. */
function statusOf(halves: readonly ReadObservation[], isMistake: boolean): Partial<Pick<Observation, 'status'>> {
  if (isMistake) return { status: 'entered-in-error' }
  const said = new Set(halves.map((half) => (half.isMistake ? 'corrected' : half.resource.status)))
  const status = statuses.find((one) => said.has(one))
  return status === undefined ? {} : { status }
}

const statuses = ['registered', 'preliminary', 'corrected', 'amended', 'final', 'cancelled'] as const

/** OBX-21 of each; what was made up as the key of one is none of the panel's. */
function ownNumbers({ resource, obx }: ReadObservation): NonNullable<Observation['identifier']> {
  return obx.text(21) === undefined ? [] : (resource.identifier ?? []).filter(({ type }) => type !== undefined)
}

function componentOf({ resource, isMistake }: ReadObservation): ObservationComponent {
  const { code } = resource
  return isMistake ? { code, dataAbsentReason: takenBack } : { code, ...parted(resource, true) }
}

const takenBack = concept('http://terminology.hl7.org/CodeSystem/data-absent-reason', 'error', 'Error')

/** The elements that are a component's own, or the others, which both halves share. */
const parted = (resource: Partial<Observation>, areOfComponent: boolean): object =>
  Object.fromEntries(Object.entries(resource).filter(([name]) => ofComponent.test(name) === areOfComponent))

const ofComponent = /^(?:value[A-Z]|(?:dataAbsentReason|interpretation|referenceRange)$)/
