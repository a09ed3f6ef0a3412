import { parseJson } from '../../../../packages/fhir/parse-json.ts'
import type { Patient } from '../../../../packages/fhir/r4.ts'
import { hasErrors } from '../../../../packages/fhir/validate/issue.ts'
import { joined, type Statement } from '../../../../packages/sql/sql.ts'
import { InvalidResource } from '../../interactions/invalid-resource.ts'
import { requireRight } from '../../interactions/require-right.ts'
import type { FhirRouteOptions } from '../../routes/fhir-route.ts'
import { fhirTypes } from '../../routes/fhir-types.ts'
import { readBody } from '../../routes/read-body.ts'
import type { AccessConditions } from '../../scopes/access.ts'
import { accessCondition } from '../../store/access-condition.ts'
import { readResource } from '../../store/read.ts'
import type { FhirDeps } from '../../routes/deps.ts'
import { matchOperation } from '../match-operation.ts'

/** `POST [base]/Patient/$match`. */
export const matchRoute: FhirRouteOptions = {
  method: 'POST',
  path: '/fhir/Patient/$match',
  summary: 'Who of the known patients is meant',
  tags: ['operations', 'patient index'],
  interaction: 'operation',
  accepts: fhirTypes,
  bodyBytesMax: 262_144,
  run: async ({ request, access }, deps) => {
    requireRight(access, 'Patient', 's')
    requireRight(access, 'Patient', 'r')
    const { database, base, names, indexMetrics } = deps
    const reach = reachOf(access, deps)
    const visiblePatients = (ids: readonly string[]) => readVisible(ids, access, deps)
    const body = readBody(request)
    // What is no resource at all is refused by the operation, which says what it wants.
    const issues = typeof body === 'object' && body !== null && 'resourceType' in body ? deps.validate(body) : []
    if (hasErrors(issues)) throw new InvalidResource(issues)
    const bundle = await matchOperation(body, { database, names, indexMetrics, reach, base, visiblePatients })
    const ids = (bundle.entry ?? []).flatMap(({ resource }) => resource?.id ?? [])
    return { kind: 'made', content: JSON.stringify(bundle), touched: ids.map((id) => ({ type: 'Patient', id })) }
  },
}

/** As the CapabilityStatement lists it. */
export const matchOperations = [
  { type: 'Patient', name: 'match', definition: 'http://hl7.org/fhir/OperationDefinition/Patient-match' },
] as const

/**
 * Whom the caller may see, where that is not everybody. Those who may not be seen must not compete either: a match that
 * is certain without them and doubtful with them would tell that they are here.
 */
function reachOf(access: AccessConditions, { engine }: FhirDeps): Statement | undefined {
  const reached = (['s', 'r'] as const).map((right) => access.of('Patient', right))
  if (reached.every((one) => one === 'unrestricted')) return undefined
  return joined(
    reached.map((one) => accessCondition(one, 'Patient', engine)),
    'and',
  )
}

/** Each with the caller's conditions in its query: whoever may not be seen is not told of. */
async function readVisible(ids: readonly string[], access: AccessConditions, { database, engine }: FhirDeps) {
  const found = await Promise.all(ids.map((id) => readResource({ type: 'Patient', id, access }, database, engine)))
  return new Map(
    found.flatMap((stored) =>
      // Sound: the store holds only what was valid when it was written.
      stored?.content === undefined ? [] : [[stored.id, parseJson(stored.content) as Patient] as const],
    ),
  )
}
