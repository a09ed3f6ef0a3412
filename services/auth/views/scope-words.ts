import { parseScope } from '../../../packages/smart/parse.ts'
import { sameQuery } from '../../../packages/smart/query.ts'
import type { SpecialScopeName } from '../../../packages/smart/scope.ts'
import { granularCategories } from '../authorize/granular-categories.ts'

/** What a scope lets an app do, in words that a patient understands. */
export function scopeInWords(text: string): string {
  const scope = parseScope(text)
  if (scope === undefined) return text
  if (scope.kind === 'special') return specialWords[scope.name]
  const reads = /[rs]/.test(scope.letters)
  const writes = /[cud]/.test(scope.letters)
  const verb = reads && writes ? 'Read and change' : writes ? 'Change' : 'Read'
  const what = scope.type === '*' ? 'everything' : wordOf(scope.type)
  const whose = scope.context === 'patient' ? 'of this patient' : 'that you can see'
  return `${verb} ${what} ${whose}${scope.query === undefined ? '' : `, only ${partInWords(scope.type, scope.query)}`}`
}

/** The part of a type that a search confines a scope to. */
function partInWords(type: string, query: string): string {
  const known = granularCategories[type]?.find(({ system, code }) => sameQuery(query, `category=${system}|${code}`))
  return known?.label ?? `where ${query.split('&').map(conditionInWords).join(' and ')}`
}

function conditionInWords(condition: string): string {
  const at = condition.indexOf('=')
  return `${condition.slice(0, at)} is ${decodeURIComponent(condition.slice(at + 1))}`
}

const specialWords: Readonly<Record<SpecialScopeName, string>> = {
  openid: 'Know that it is you',
  fhirUser: 'Know who you are in the record',
  profile: 'Know your name',
  launch: 'Know which patient is open',
  'launch/patient': 'Know which patient you chose',
  'launch/encounter': 'Know which visit is open',
  offline_access: 'Go on when you are signed out',
  online_access: 'Go on while you are signed in',
}

const typeWords: Readonly<Record<string, string>> = {
  AllergyIntolerance: 'allergies',
  Condition: 'diagnoses and problems',
  Encounter: 'visits',
  Immunization: 'immunizations',
  ImmunizationRecommendation: 'recommended immunizations',
  MedicationRequest: 'prescriptions',
  Observation: 'measurements and results',
  Patient: 'name, birth date and contacts',
  Practitioner: 'practitioners',
  Procedure: 'procedures',
}

/** Types without words of their own are said as they are called: `CarePlan` as `care plan`. */
const wordOf = (type: string) => typeWords[type] ?? type.replaceAll(/(?<=[a-z])([A-Z])/g, ' $1').toLowerCase()
