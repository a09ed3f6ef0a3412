import type { Definitions, SearchParameter } from '../../../packages/fhir/definitions.ts'
import { targetTypesOf } from '../search/parse/target-types.ts'
import { isSupported } from '../search/parse/unsupported.ts'
import type { CapabilityOperation } from './capability-operation.ts'

/** What can be done with resources of one type. */
export function resourceCapability(
  type: string,
  operations: readonly CapabilityOperation[],
  referrers: Referrers,
  definitions: Definitions,
): object {
  const parameters = [...definitions.parametersOf(type).values()].filter(isSearchable)
  const isChangeable = type !== 'AuditEvent'
  return {
    type,
    profile: `http://hl7.org/fhir/StructureDefinition/${type}`,
    interaction: interactions.filter(({ isChange }) => isChangeable || !isChange).map(({ code }) => ({ code })),
    ...(documentation[type] === undefined ? {} : { documentation: documentation[type] }),
    versioning: 'versioned',
    readHistory: true,
    updateCreate: isChangeable,
    conditionalCreate: true,
    conditionalRead: 'full-support',
    conditionalUpdate: isChangeable,
    conditionalDelete: isChangeable ? 'single' : 'not-supported',
    referencePolicy: ['literal', 'logical'],
    searchInclude: ['*', ...parameters.filter(isReference).map(({ code }) => `${type}:${code}`)],
    searchRevInclude: ['*', ...(referrers.get(type) ?? [])],
    searchParam: parameters.map(({ code, url, type: kind }) => ({ name: code, definition: url, type: kind })),
    operation: operations
      .filter((operation) => operation.type === type)
      .map(({ type: _own, ...operation }) => operation),
  }
}

const documentation: Readonly<Record<string, string>> = {
  Binary:
    'Also sent as what it holds (create, update) and given so to who asks for its content type by name (read, vread): ' +
    'documents, images, sound and plain text. Other content is sent and given as JSON.',
  Consent: ofCopies('consent'),
  Immunization:
    'What a patient, or who acts for one, writes bears the security label PATRPT (patient reported). With their tokens ' +
    'what others have recorded is neither changed nor deleted.',
  Patient:
    'Tokens for one patient leave identifier, link and meta.tag as they are; those of patients and who acts for one also ' +
    'name and birthDate.',
  ServiceRequest: ofCopies('referral'),
  Subscription:
    'For people with the role ADMIN, and for programs: it says where the record is sent, and with which secret.',
  Task: ofCopies('referral'),
}

function ofCopies(service: string): string {
  return `Those that show what the ${service} service keeps are written by that service only; change the original there.`
}

/** By type: the `Source:parameter` that may refer to it. */
type Referrers = ReadonlyMap<string, readonly string[]>

export function referrersOf(types: readonly string[], definitions: Definitions): Referrers {
  const referrers = new Map<string, string[]>(types.map((type) => [type, []]))
  for (const source of types) {
    for (const parameter of definitions.parametersOf(source).values()) {
      if (!isReference(parameter) || !isSearchable(parameter)) continue
      const targets = targetTypesOf(parameter)
      const name = `${source}:${parameter.code}`
      for (const target of targets.length === 0 ? types : targets) referrers.get(target)?.push(name)
    }
  }
  return referrers
}

const interactions = [
  { code: 'read', isChange: false },
  { code: 'vread', isChange: false },
  { code: 'update', isChange: true },
  { code: 'patch', isChange: true },
  { code: 'delete', isChange: true },
  { code: 'history-instance', isChange: false },
  { code: 'history-type', isChange: false },
  { code: 'create', isChange: false },
  { code: 'search-type', isChange: false },
] as const

/** Parameters without a path are answered by nobody here, except those that are columns. */
const isSearchable = (parameter: SearchParameter) =>
  isSupported(parameter) &&
  [parameter.branches, parameter.components, parameter.special].some((way) => way !== undefined)

const isReference = ({ type }: SearchParameter) => type === 'reference'
