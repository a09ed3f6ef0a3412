import { incorrect } from '../../../../packages/faults/fault.ts'
import type { Answer } from '../answer.ts'
import type { InteractionDeps } from '../deps.ts'
import { checkIsResource } from '../prepare-body.ts'
import { batch } from './batch.ts'
import type { BundleRequest } from './bundle-request.ts'
import { transaction } from './transaction.ts'

/** `POST [base]`: a batch or a transaction. */
export async function processBundle(request: BundleRequest, deps: InteractionDeps): Promise<Answer> {
  const { bundle } = request
  checkIsResource('Bundle', bundle)
  const { type, entry = [] } = bundle as { type?: unknown; entry?: unknown }
  if (!Array.isArray(entry)) throw wrong('Bundle.entry', 'must be a list')
  const { bundleEntriesMax } = deps.limits
  if (entry.length > bundleEntriesMax) {
    throw incorrect(`The bundle has more than ${bundleEntriesMax} entries. Send it in parts.`, {
      code: 'BODY_TOO_LARGE',
    })
  }
  switch (type) {
    case 'batch':
      return batch(entry, request, deps)
    case 'transaction':
      return transaction(entry, request, deps)
    default:
      throw wrong('Bundle.type', 'must be batch or transaction')
  }
}

const wrong = (path: string, message: string) =>
  incorrect('The bundle cannot be processed.', { fields: [{ path, message }] })
