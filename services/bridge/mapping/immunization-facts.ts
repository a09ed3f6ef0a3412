import type { CodeableConcept, Immunization, ImmunizationEducation } from '../../../packages/fhir/r4.ts'
import type { Segment } from '../../../packages/hl7/index.ts'
import { at } from './at.ts'
import { compact } from './compact.ts'
import type { Draft } from './draft.ts'
import { cwe } from './dt/cwe.ts'
import { si } from './dt/si.ts'
import { dateTime } from './dt/ts.ts'

/** The OBXs of a dose that R4 has elements for, and those that stay observations (with their notes). */
export interface VaccineFacts {
  readonly facts: Partial<Immunization>
  readonly others: readonly Segment[]
}

const vaccineType = '30956-7'

/** By LOINC code, what an OBX of an immunization is about. */
const meanings: Readonly<Record<string, Meaning>> = {
  '64994-7': 'eligibility',
  '30963-3': 'funding',
  '30973-2': 'dose',
  '59782-3': 'doses',
  '69764-9': 'statement',
  [vaccineType]: 'statement',
  '29768-9': 'published',
  '29769-7': 'presented',
}

type Meaning = 'eligibility' | 'funding' | 'dose' | 'doses' | 'statement' | 'published' | 'presented'

export function readVaccineFacts(results: readonly Segment[], draft: Draft): VaccineFacts {
  const leaflets = new Set(results.filter(isDateOfLeaflet).map(groupOf))
  // The type of vaccine is also how registries begin what they think of a dose (59779-9 and its like).
  const isOther = (segment: Segment) => segment.text(3)?.trim() === vaccineType && !leaflets.has(groupOf(segment))
  const isFact = (segment: Segment) => segment.name === 'OBX' && meaningOf(segment) !== undefined && !isOther(segment)
  const obxs = results.filter(isFact)
  const of = (meaning: Meaning) => obxs.filter((obx) => meaningOf(obx) === meaning)
  const facts = compact<Partial<Immunization>>({
    programEligibility: of('eligibility')
      .map((obx) => coded(obx, draft))
      .filter(isSaid),
    fundingSource: of('funding')
      .map((obx) => coded(obx, draft))
      .find(isSaid),
    education: educations(obxs, draft),
    protocolApplied: protocol(of('dose')[0], of('doses')[0], draft),
  })
  return { facts: facts ?? {}, others: results.filter((segment) => !isFact(segment)) }
}

const meaningOf = (obx: Segment): Meaning | undefined => {
  const code = obx.text(3)?.trim() ?? ''
  return Object.hasOwn(meanings, code) ? meanings[code] : undefined
}

const isDateOfLeaflet = (segment: Segment): boolean =>
  segment.name === 'OBX' && /^(published|presented)$/.test(meaningOf(segment) ?? '')

/** OBX-4 says which lines are about one thing. */
const groupOf = (obx: Segment): string => obx.text(4)?.trim() ?? ''

const coded = (obx: Segment, draft: Draft): CodeableConcept | undefined => cwe(obx.part(5), at(draft, obx, 5))

const isSaid = (found: CodeableConcept | undefined): found is CodeableConcept => found !== undefined

/** The leaflets that were handed out. */
function educations(obxs: readonly Segment[], draft: Draft): ImmunizationEducation[] {
  const about = obxs.filter((obx) => /^(statement|published|presented)$/.test(meaningOf(obx) ?? ''))
  const groups = Map.groupBy(about, groupOf)
  return [...groups.values()].map((lines) => {
    const of = (meaning: Meaning) => lines.find((obx) => meaningOf(obx) === meaning)
    const [statement, published, presented] = [of('statement'), of('published'), of('presented')]
    return {
      // R4 wants the kind of document; there is but one kind of which registries tell.
      documentType: (statement && coded(statement, draft)?.text) ?? 'Vaccine information statement',
      ...compact<ImmunizationEducation>({
        publicationDate: published && dateTime(published.part(5), at(draft, published, 5)),
        presentationDate: presented && dateTime(presented.part(5), at(draft, presented, 5)),
      }),
    }
  })
}

function protocol(
  dose: Segment | undefined,
  doses: Segment | undefined,
  draft: Draft,
): Immunization['protocolApplied'] {
  const number = dose && si(dose.part(5), at(draft, dose, 5))
  if (number === undefined || number === 0) return undefined
  const total = doses && si(doses.part(5), at(draft, doses, 5))
  const series = total === undefined || total === 0 ? {} : { seriesDosesPositiveInt: total }
  return [{ doseNumberPositiveInt: number, ...series }]
}
