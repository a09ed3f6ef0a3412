import type { CodeableConcept, Observation } from '../../../packages/fhir/r4.ts'
import { concept } from './code-map.ts'
import type { Draft } from './draft.ts'
import { derivedKey, keyIdentifier } from './keys.ts'
import { replacedBy, type ObservationAbout, type ReadObservation } from './observation.ts'
import { loinc } from './terms.ts'

/** R4's profile of the blood pressure is one panel with two components: the pairs among these results become that. */
export function bloodPressures(
  results: readonly ReadObservation[],
  about: ObservationAbout,
  draft: Draft,
): readonly ReadObservation[] {
  const systolics = results.filter((one) => isOf(one, systolic))
  if (systolics.length === 0) return results
  const diastolics = Map.groupBy(
    results.filter((one) => isOf(one, diastolic)),
    measurementOf,
  )
  const paired = new Set<ReadObservation>()
  const panels = new Map<ReadObservation, ReadObservation>()
  for (const first of systolics) {
    const second = diastolics.get(measurementOf(first))?.shift()
    if (second === undefined) continue
    paired.add(second)
    panels.set(first, panelOf(first, second, panels.size, about, draft))
  }
  return results.filter((one) => !paired.has(one)).map((one) => panels.get(one) ?? one)
}

const systolic = '8480-6'
const diastolic = '8462-4'

const isOf = ({ resource, isMistake }: ReadObservation, code: string): boolean =>
  !isMistake &&
  resource.valueQuantity !== undefined &&
  resource.code.coding?.some((one) => one.system === loinc && one.code === code) === true

/** The same for what was measured at the same time, with the same sub-id, and is equally certain. */
const measurementOf = ({ obx }: ReadObservation): string =>
  [4, 11, 14].map((field) => obx.rawField(field) ?? '').join(obx.syntax.delimiters.field)

function panelOf(
  first: ReadObservation,
  second: ReadObservation,
  occurrence: number,
  { within }: ObservationAbout,
  draft: Draft,
): ReadObservation {
  const key = derivedKey(draft, 'observation', within, panel, first.obx.text(4)?.trim() ?? '', String(occurrence))
  const { valueQuantity: _value, interpretation: _one, referenceRange: _two, ...shared } = first.resource
  const notes = [...(first.resource.note ?? []), ...(second.resource.note ?? [])]
  const resource: Observation = {
    ...shared,
    identifier: [keyIdentifier(key), ...ownNumbers(first), ...ownNumbers(second)],
    code: concept(loinc, panel, 'Blood pressure panel with all children optional'),
    component: [componentOf(first), componentOf(second)],
    ...(notes.length === 0 ? {} : { note: notes }),
  }
  return { ...first, key, resource, options: { ...first.options, key, deletes: replacedBy(resource) } }
}

const panel = '85354-9'

/** OBX-21 of each; what was made up as the key of one is none of the panel's. */
function ownNumbers({ resource, obx }: ReadObservation): NonNullable<Observation['identifier']> {
  return obx.text(21) === undefined ? [] : (resource.identifier ?? []).filter(({ type }) => type !== undefined)
}

function componentOf({ resource }: ReadObservation): NonNullable<Observation['component']>[number] {
  const { valueQuantity, interpretation, referenceRange } = resource
  const code: CodeableConcept = resource.code
  return {
    code,
    ...(valueQuantity === undefined ? {} : { valueQuantity }),
    ...(interpretation === undefined ? {} : { interpretation }),
    ...(referenceRange === undefined ? {} : { referenceRange }),
  }
}
