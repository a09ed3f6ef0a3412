import type { Answer } from '../answer.ts'
import type { BundleEntry } from '../bundle-text.ts'
import { contentOfAnswer, entryResponse } from '../entry-response.ts'
import { allWell } from '../invalid-resource.ts'
import type { EntryRequest } from './entry-request.ts'
import type { BundleRequest } from './process-bundle.ts'

/** The entry of the response. What was read is always shown; what was written when it was asked for. */
export function answeredEntry(
  answer: Answer,
  { method }: EntryRequest,
  { shows }: BundleRequest,
  base: string,
): BundleEntry {
  const isReading = method === 'GET' || method === 'HEAD'
  const content = isReading || shows === 'resource' ? contentOfAnswer(answer) : undefined
  const response = entryResponse(answer, base)
  return {
    ...('stored' in answer ? { fullUrl: `${base}/${answer.stored.type}/${answer.stored.id}` } : {}),
    resource: method === 'HEAD' ? undefined : content,
    rest: {
      response:
        shows === 'outcome' && !isReading ? { ...response, outcome: allWell('The entry was carried out.') } : response,
    },
  }
}
