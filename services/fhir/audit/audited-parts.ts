import { isSharedType } from '../scopes/shared-types.ts'
import type { AuditedAccess, TouchedResource } from './audited-access.ts'
import type { AuditedPart } from './audit-event.ts'
import { patternOf } from './patterns.ts'

/** The patients whose record a resource belonged to when it was accessed. */
export type PatientsOf = (resource: TouchedResource, access: AuditedAccess) => readonly string[]

/** What is told of an access, one part a patient; nothing where no patient's data was asked for. */
export function auditedParts(access: AuditedAccess, patientsOf: PatientsOf): AuditedPart[] {
  if (isAboutNobody(access)) return []
  if (patternOf[access.interaction] !== 'Query') {
    const touched = access.touched.flatMap((resource) =>
      onePerPatient(patientsOf(resource, access)).map((patient) => ({ resource, patient })),
    )
    // A write that was refused, or found nothing to write to, has said something all the same: that several are there.
    if (touched.length === 0 && access.question !== undefined)
      return [{ access, resources: [], patient: patientOf(access) }]
    return [...Map.groupBy(touched, ({ patient }) => patient)].flatMap(([patient, of]) =>
      inParts(of.map(({ resource }) => resource)).map((resources) => ({ access, resources, patient })),
    )
  }
  return onePerPatient(patientsOfQuery(access, patientsOf)).map((patient) => ({ access, resources: [], patient }))
}

/** What a transaction wrote for one patient is one event, as long as somebody can still read it. */
const resourcesMax = 100

function inParts(resources: readonly TouchedResource[]): TouchedResource[][] {
  const parts: TouchedResource[][] = []
  for (let from = 0; from < resources.length; from += resourcesMax)
    parts.push(resources.slice(from, from + resourcesMax))
  return parts
}

/** Reference data and terminology are read all day and tell of nobody; changes to them are kept in their history. */
function isAboutNobody(access: AuditedAccess): boolean {
  if (isOnlyValidating(access) || isWritingTheLog(access)) return true
  const types = [...access.touched.map(({ type }) => type), ...typesAskedOf(access)]
  return types.length > 0 && types.every(isSharedType)
}

/** What is only validated was brought along. Who is refused may have asked for one that is stored. */
function isOnlyValidating({ interaction, touched, question, outcome }: AuditedAccess): boolean {
  if (interaction !== 'operation' || touched.length > 0) return false
  const steps = pathOf(question).split('/')
  return steps.at(-1) === '$validate' && (outcome.kind === 'success' || steps.length === 2)
}

/**
 * No access to the record: otherwise every event would make another one, and one that the log will not take another one
 * each time that it is brought.
 */
const isWritingTheLog = ({ interaction, touched, question }: AuditedAccess): boolean =>
  interaction === 'create' &&
  (touched.length === 0 ? pathOf(question) === 'AuditEvent' : touched.every(({ type }) => type === 'AuditEvent'))

/** Without its query, in which anybody may write anything. */
const pathOf = (question = ''): string => question.split('?', 1)[0] ?? ''

/**
 * Whose name the question has: `Organization?_has:Encounter:service-provider:patient=1` asks where somebody was, and
 * `Practitioner/1/Encounter` (or `Practitioner/1/*`, or `_revinclude=Encounter:practitioner`) whom somebody has seen.
 */
function typesAskedOf({ interaction, question = '' }: AuditedAccess): string[] {
  const path = pathOf(question)
  const [type = '', , within = ''] = path.split('/')
  const parameters = new URLSearchParams(question.slice(path.length + 1))
  const searched = interaction === 'search-system' ? typesSearched(parameters) : []
  const asked = [...parameters].flatMap(([name, value]) => [
    ...name.split(/[:.]/),
    ...(name.split(':')[0] === '_revinclude' ? value.split(':') : []),
    ...(isOfAnyType(name) ? ['*'] : []),
  ])
  return [...type.split(','), within, ...searched, ...asked].filter((name) => /^(?:[A-Z][A-Za-z]*|[*])$/.test(name))
}

/** A page of practitioners, of a search that looks for patients too, says with its total how many of these there are. */
function typesSearched(parameters: URLSearchParams): string[] {
  const named = parameters.getAll('_type').filter((value) => value !== '')
  return named.length === 0 ? ['*'] : named.flatMap((value) => value.split(','))
}

/** `ActivityDefinition?derived-from.patient=1`: a chain that names no type, through what may be of any. */
function isOfAnyType(name: string): boolean {
  const hops = name.split('.').slice(0, -1)
  return hops.some((hop) => leadingAnywhere.has(hop.split(':').at(-1) ?? ''))
}

/** Of the parameters of types that tell of nobody, those that lead to others. */
const leadingAnywhere: ReadonlySet<string> = new Set([
  'composed-of',
  'depends-on',
  'derived-from',
  'monograph',
  'predecessor',
  'successor',
])

function patientsOfQuery(access: AuditedAccess, patientsOf: PatientsOf): readonly string[] {
  const { touched } = access
  // Whoever reads the log reads about everybody in it; telling each of them would let the log grow by being read.
  const found = new Set(
    touched.filter(({ type }) => type !== 'AuditEvent').flatMap((resource) => patientsOf(resource, access)),
  )
  const asked = patientOf(access)
  if (found.size === 0 && asked !== undefined) found.add(asked)
  return [...found]
}

/** A token for one patient asks about that patient, also where nothing is found. */
const patientOf = ({ caller }: AuditedAccess): string | undefined => caller?.patient

const onePerPatient = (patients: readonly string[]): readonly (string | undefined)[] =>
  patients.length === 0 ? [undefined] : patients
