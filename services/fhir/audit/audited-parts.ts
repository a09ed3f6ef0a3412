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

/**
 * Reference data and terminology are read all day and tell of nobody; changes to them are kept in their history. What is
 * only validated was brought along.
 */
function isAboutNobody({ interaction, touched, question }: AuditedAccess): boolean {
  if (question?.endsWith('/$validate') === true) return true
  // Writing the log is not an access to the record: otherwise every event would make another one.
  if (interaction === 'create' && touched.length > 0 && touched.every(({ type }) => type === 'AuditEvent')) return true
  const types = [...touched.map(({ type }) => type), ...typesAskedOf(question ?? '')]
  return types.length > 0 && types.every(isSharedType)
}

/** Whose name the question has: `Organization?_has:Encounter:service-provider:patient=1` asks where somebody was. */
function typesAskedOf(question: string): string[] {
  const [path = '', ...queries] = question.split('?')
  const names = [...new URLSearchParams(queries.join('?')).keys()].flatMap((name) => name.split(/[:.]/))
  return [...path.split('/').slice(0, 1), ...names].filter((name) => /^[A-Z][A-Za-z]*$/.test(name))
}

function patientsOfQuery(access: AuditedAccess, patientsOf: PatientsOf): readonly string[] {
  const { touched, caller } = access
  // Whoever reads the log reads about everybody in it; telling each of them would let the log grow by being read.
  const found = new Set(
    touched.filter(({ type }) => type !== 'AuditEvent').flatMap((resource) => patientsOf(resource, access)),
  )
  // A token for one patient asks about that patient, also where nothing is found.
  if (found.size === 0 && caller?.patient !== undefined) found.add(caller.patient)
  return [...found]
}

const onePerPatient = (patients: readonly string[]): readonly (string | undefined)[] =>
  patients.length === 0 ? [undefined] : patients
