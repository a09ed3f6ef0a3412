import { missing } from '../../../packages/faults/fault.ts'
import { bodyTooLarge } from '../../../packages/http/body.ts'
import { paramsAt } from '../../../packages/http/route-table.ts'
import type { Answer } from '../interactions/answer.ts'
import type { Operate, OperationEntry } from '../interactions/bundle/operation-entry.ts'
import { BatchWork } from '../terminology/set-work.ts'
import type { FhirDeps } from './deps.ts'
import type { FhirCall, FhirRouteOptions } from './fhir-route.ts'

/** The operations of one batch: what their routes would do, each with the entry's resource for a body. */
export function operateIn(operations: readonly FhirRouteOptions[], call: FhirCall, deps: FhirDeps): Operate {
  const ofBatch = { ...call, batchWork: new BatchWork() }
  return (entry) => operate(entry, operations, ofBatch, deps)
}

async function operate(
  { method, path, query, resource }: OperationEntry,
  operations: readonly FhirRouteOptions[],
  call: FhirCall,
  deps: FhirDeps,
): Promise<Answer> {
  if (path === 'metadata') return { kind: 'made', content: deps.capabilityStatement(), touched: [] }
  for (const operation of operations.filter((one) => one.method === method)) {
    const params = paramsAt(`/fhir/${path}`, operation.path)
    if (params === undefined) continue
    // Not that of the bundle.
    const rawBody = resource === undefined ? undefined : Buffer.from(JSON.stringify(resource))
    const { bodyBytesMax = Infinity } = operation
    if (rawBody !== undefined && rawBody.length > bodyBytesMax) throw bodyTooLarge(bodyBytesMax)
    return operation.run({ ...call, params, query, request: { ...call.request, rawBody } }, deps)
  }
  throw missing('This server has no such operation there, or not by this method.', { code: 'NO_OPERATION' })
}
