import { touchedBy, type Answer, type AnsweredPart } from '../answer.ts'
import type { BundleEntry } from '../bundle-text.ts'
import { contentOfAnswer, entryResponse } from '../entry-response.ts'
import { allWell } from '../invalid-resource.ts'
import type { EntryRequest } from './entry-request.ts'
import { interactionOf, questionOf } from './place.ts'
import type { BundleRequest } from './bundle-request.ts'

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

/** What the audit log wants to know of an entry; of one that failed, what it was about. */
export function partOf({ method, place, ifNoneExist = '' }: EntryRequest, answer?: Answer): AnsweredPart {
  const { type, id } = place
  const named = type === undefined || id === undefined ? [] : [{ type, id }]
  const asked = [place.query, ...(method === 'POST' ? [ifNoneExist] : [])].filter((part) => part !== '')
  const question = questionOf({ ...place, query: asked.join('&') })
  return {
    interaction: interactionOf(method, place),
    touched: answer === undefined ? named : touchedBy(answer),
    ...(question === undefined ? {} : { question }),
  }
}
