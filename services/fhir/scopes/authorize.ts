import type { Definitions } from '../../../packages/fhir/definitions.ts'
import { isFhirId } from '../../../packages/fhir/fhir-id.ts'
import { parseScopes } from '../../../packages/smart/parse.ts'
import { queriesFor } from '../../../packages/smart/permits.ts'
import type { Scope, ScopeContext } from '../../../packages/smart/scope.ts'
import type { Caller } from '../../../packages/tokens/caller.ts'
import type { AccessConditions, AuthorizeRequest, Right, TypeAccess } from './access.ts'
import { refusalOfCopy, type KeptCopy } from './kept-copies.ts'
import { ownResource, type OwnResource } from './own-resource.ts'
import { patientReach } from './patient-reach.ts'

interface AuthorizeOptions {
  /** The addresses under which this server is known, without a slash at the end. */
  readonly ownBases: readonly string[]
  /** What only the service that keeps the original may write. */
  readonly copies: readonly KeptCopy[]
}

/** Turns a verified token into what its bearer may reach. A caller's answer is made once and kept as long as it is. */
export function createAuthorizeRequest(
  definitions: Definitions,
  { ownBases, copies }: AuthorizeOptions,
): AuthorizeRequest {
  const known = new WeakMap<Caller, AccessConditions>()
  return (caller) => {
    let conditions = known.get(caller)
    if (conditions === undefined) {
      conditions = conditionsOf(bearerOf(caller, ownBases), copies, definitions)
      known.set(caller, conditions)
    }
    return conditions
  }
}

/** What counts of a token. */
interface Bearer {
  readonly caller: Caller
  readonly scopes: readonly Scope[]
  readonly self: OwnResource | undefined
}

const bearerOf = (caller: Caller, ownBases: readonly string[]): Bearer => ({
  caller,
  scopes: parseScopes(caller.scope),
  self: ownResource(caller, ownBases),
})

function conditionsOf(bearer: Bearer, copies: readonly KeptCopy[], definitions: Definitions): AccessConditions {
  const decided = new Map<string, TypeAccess>()
  const context = contextOf(bearer.caller)
  return {
    context,
    isPatientsWord: isPatientsWord(bearer.caller),
    refusalOf: (write) => refusalOfCopy(write, bearer.caller, copies),
    isGrantable: (type, right) =>
      decide(type, right, { ...bearer, scopes: parseScopes(`${context}/*.cruds`) }, definitions) !== 'none',
    of(type, right) {
      if (!definitions.resourceTypes.has(type)) return 'none'
      const key = `${type}.${right}`
      let access = decided.get(key)
      // The same value every time: the store asks once for all resources that have it in common.
      if (access === undefined) decided.set(key, (access = decide(type, right, bearer, definitions)))
      return access
    },
  }
}

function contextOf({ patient, fhirUser }: Caller): ScopeContext {
  if (patient !== undefined) return 'patient'
  return fhirUser === undefined ? 'system' : 'user'
}

function decide(type: string, right: Right, bearer: Bearer, definitions: Definitions): TypeAccess {
  if (type === 'AuditEvent') return auditAccess(right, bearer)
  if (type === 'Subscription') return subscriptionAccess(right, bearer)
  return anyOf([
    patientScopes(type, right, bearer, definitions),
    userScopes(type, right, bearer, definitions),
    systemScopes(type, right, bearer),
    ownRecord(type, right, bearer),
  ])
}

/** `patient/`: the patient of the token. Without one such a scope gives nothing. */
function patientScopes(type: string, right: Right, { caller, scopes }: Bearer, definitions: Definitions): TypeAccess {
  const { patient } = caller
  if (patient === undefined || !isFhirId(patient)) return 'none'
  const queries = queriesFor(scopes, { context: 'patient', type, operation: right })
  return patientReach({ type, right, patient, isPatientsWord: isPatientsWord(caller), queries }, definitions)
}

/** `user/`: what the user may reach. Staff work with every record; a patient has their own. */
function userScopes(type: string, right: Right, bearer: Bearer, definitions: Definitions): TypeAccess {
  const { caller, scopes, self } = bearer
  if (isStaff(caller)) return asScoped('user', type, right, scopes)
  if (!caller.roles.has('PATIENT') || self?.type !== 'Patient') return 'none'
  const queries = queriesFor(scopes, { context: 'user', type, operation: right })
  return patientReach({ type, right, patient: self.id, isPatientsWord: true, queries }, definitions)
}

const isStaff = ({ roles }: Caller) => roles.has('CLINICIAN') || roles.has('ADMIN') || roles.has('SYSTEM')

/** `system/`: for programs. The authorization server gives it to nobody else, and neither do we. */
function systemScopes(type: string, right: Right, { caller, scopes }: Bearer): TypeAccess {
  return isProgram(caller) ? asScoped('system', type, right, scopes) : 'none'
}

const isProgram = ({ fhirUser, patient }: Caller) => fhirUser === undefined && patient === undefined

/** Neither staff nor a program: what they write is a patient’s word, or that of who acts for one. */
const isPatientsWord = (caller: Caller) => !isStaff(caller) && !isProgram(caller)

/** The scope `fhirUser`: one's own resource can be read, whatever else the token gives. */
function ownRecord(type: string, right: Right, { scopes, self }: Bearer): TypeAccess {
  const isAsked = scopes.some((scope) => scope.kind === 'special' && scope.name === 'fhirUser')
  return isAsked && right === 'r' && self?.type === type ? [{ id: self.id }] : 'none'
}

/** The log of who saw what: read by those who watch over it, fed by programs of the platform, changed by nobody. */
function auditAccess(right: Right, { caller, scopes }: Bearer): TypeAccess {
  const asProgram = () => (isProgram(caller) ? asScoped('system', 'AuditEvent', right, scopes) : 'none')
  if (right === 'c') return caller.roles.has('SYSTEM') || caller.roles.has('ADMIN') ? asProgram() : 'none'
  if (right !== 'r' && right !== 's') return 'none'
  const asUser = caller.roles.has('ADMIN') ? asScoped('user', 'AuditEvent', right, scopes) : 'none'
  return anyOf([asUser, asProgram()])
}

/** Where the record is sent, and with which secret: for those who run the platform, and for programs. */
function subscriptionAccess(right: Right, { caller, scopes }: Bearer): TypeAccess {
  return anyOf([
    caller.roles.has('ADMIN') ? asScoped('user', 'Subscription', right, scopes) : 'none',
    isProgram(caller) ? asScoped('system', 'Subscription', right, scopes) : 'none',
  ])
}

function asScoped(context: ScopeContext, type: string, right: Right, scopes: readonly Scope[]): TypeAccess {
  const queries = queriesFor(scopes, { context, type, operation: right })
  return queries === undefined ? 'unrestricted' : queries.map((query) => ({ query }))
}

function anyOf(accesses: readonly TypeAccess[]): TypeAccess {
  if (accesses.includes('unrestricted')) return 'unrestricted'
  const bounds = accesses.flatMap((access) => (typeof access === 'string' ? [] : access))
  return bounds.length === 0 ? 'none' : bounds
}
