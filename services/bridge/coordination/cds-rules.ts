import type { CodeableConcept, MedicationRequest, Observation, Quantity } from '../../../packages/fhir/r4.ts'

/** A card in the shape of CDS Hooks 2.0. */
export interface Card {
  /** At most 140 characters. */
  readonly summary: string
  readonly indicator: 'info' | 'warning' | 'critical'
  readonly detail: string
  readonly source: { readonly label: string; readonly url: string }
}

export interface FiredRule {
  readonly rule: string
  /** The result that fired it. */
  readonly observation: Observation
  readonly card: Card
}

/** A result that is dangerous together with a drug. */
interface Rule {
  readonly id: string
  /** LOINC. */
  readonly results: readonly string[]
  readonly isDangerous: (result: Quantity) => boolean
  /** Undefined: any. */
  readonly isUnit: ((unit: string | undefined) => boolean) | undefined
  readonly drug: RegExp
  readonly atc: RegExp
  readonly card: Card
}

/** A bound is dangerous only where everything within it is: `<60` says nothing of 30. */
const below =
  (limit: number) =>
  ({ value = Number.NaN, comparator }: Quantity): boolean =>
    comparator === '<' ? value <= limit : (comparator === undefined || comparator === '<=') && value < limit

const above =
  (limit: number) =>
  ({ value = Number.NaN, comparator }: Quantity): boolean =>
    comparator === '>' ? value >= limit : (comparator === undefined || comparator === '>=') && value > limit

const atLeast =
  (limit: number) =>
  ({ value = Number.NaN, comparator }: Quantity): boolean =>
    comparator !== '<' && comparator !== '<=' && value >= limit

/** However it is written: `mL/min/{1.73_m2}`, `ml/min/1,73 m²`, `mL/min`. Laboratories that say none mean this one. */
function isOfFiltration(unit: string | undefined): boolean {
  const plain = (unit ?? 'mL/min').toLowerCase().replaceAll(/[\s{}_^*]/g, '')
  return /^ml\/min((\/|per)1[.,]73(m[2²]|sqm)?)?$/.test(plain)
}

/** Published rules, each with its source. Values in another unit than the rule's are left to people. */
const rules: readonly Rule[] = [
  {
    id: 'metformin-egfr',
    results: ['33914-3', '48642-3', '62238-1', '98979-8'],
    isDangerous: below(30),
    isUnit: isOfFiltration,
    drug: /\bmetformin\b/i,
    atc: /^A10BA02$/,
    card: {
      summary: 'Metformin is contraindicated: eGFR is below 30 mL/min/1.73 m².',
      indicator: 'critical',
      detail: 'Stop metformin and look for another treatment.',
      source: {
        label: 'FDA Drug Safety Communication, metformin and reduced kidney function, 8 April 2016',
        url: 'https://www.fda.gov/drugs/drug-safety-and-availability',
      },
    },
  },
  {
    id: 'potassium-raas',
    results: ['2823-3', '6298-4'],
    isDangerous: atLeast(6),
    isUnit: (unit) => unit === 'mmol/L',
    drug: /\b\w+(pril|sartan)\b|\bspironolactone\b|\beplerenone\b/i,
    atc: /^(C09|C03DA)/,
    card: {
      summary: 'Potassium is 6.0 mmol/L or more under a renin-angiotensin system antagonist.',
      indicator: 'critical',
      detail: 'Stop it, stop other drugs that raise potassium, and treat the hyperkalaemia.',
      source: {
        label: 'NICE guideline NG203, chronic kidney disease, section 1.6',
        url: 'https://www.nice.org.uk/guidance/ng203',
      },
    },
  },
  {
    id: 'warfarin-inr',
    results: ['6301-6', '34714-6'],
    isDangerous: above(5),
    isUnit: undefined,
    drug: /\bwarfarin\b/i,
    atc: /^B01AA03$/,
    card: {
      summary: 'INR is above 5.0 under warfarin.',
      indicator: 'warning',
      detail: 'Without bleeding: withhold one or two doses and lower the maintenance dose; find the cause.',
      source: {
        label: 'British Committee for Standards in Haematology, oral anticoagulation with warfarin, 4th edition (2011)',
        url: 'https://b-s-h.org.uk/guidelines',
      },
    },
  },
]

/** The codes of results that any rule looks at. */
export const watchedResults: ReadonlySet<string> = new Set(rules.flatMap(({ results }) => results))

export const isWatchedResult = ({ code }: Observation): boolean =>
  loincOf(code).some((loinc) => watchedResults.has(loinc))

export const isWatchedDrug = (request: MedicationRequest): boolean => rules.some((rule) => isDrug(request, rule))

/** Which rules fire: the newest result of each kind, together with the drugs that the patient takes. */
export function firedRules(
  results: readonly Observation[],
  medications: readonly MedicationRequest[],
): readonly FiredRule[] {
  const active = medications.filter(({ status }) => status === 'active')
  return rules.flatMap((rule) => {
    const observation = newestOf(
      results.filter(({ code }) => loincOf(code).some((loinc) => rule.results.includes(loinc))),
    )
    const result = observation?.valueQuantity
    if (observation === undefined || result === undefined) return []
    const isUnit = rule.isUnit === undefined || rule.isUnit(result.code ?? result.unit)
    if (!isUnit || !rule.isDangerous(result)) return []
    return active.some((request) => isDrug(request, rule)) ? [{ rule: rule.id, observation, card: rule.card }] : []
  })
}

const loincOf = ({ coding = [] }: CodeableConcept): string[] =>
  coding.flatMap(({ system, code }) => (system === 'http://loinc.org' && code !== undefined ? [code] : []))

function newestOf(results: readonly Observation[]): Observation | undefined {
  const at = ({ effectiveDateTime, issued }: Observation) => Date.parse(effectiveDateTime ?? issued ?? '') || 0
  const settled = results.filter(({ status }) => status === 'final' || status === 'amended' || status === 'corrected')
  return settled.reduce<Observation | undefined>(
    (newest, one) => (newest === undefined || at(one) > at(newest) ? one : newest),
    undefined,
  )
}

function isDrug({ medicationCodeableConcept, medicationReference }: MedicationRequest, { drug, atc }: Rule): boolean {
  const { coding = [], text } = medicationCodeableConcept ?? {}
  const names = [text, medicationReference?.display, ...coding.map(({ display }) => display)]
  const isCode = coding.some(({ system, code }) => system === 'http://www.whocc.no/atc' && atc.test(code ?? ''))
  return isCode || names.some((name) => name !== undefined && drug.test(name))
}
