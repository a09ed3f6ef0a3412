import { unreachable, type Fault } from '../../../packages/faults/fault.ts'
import { httpStatusOf } from '../../../packages/faults/render.ts'
import type { Stored } from '../store/change.ts'
import type { HistoryEntry } from '../store/history.ts'
import type { Answer } from './answer.ts'
import { outcomeOf } from './invalid-resource.ts'

/** What `Bundle.entry.response` says of an answer. */
export function entryResponse(answer: Answer, base: string): object {
  switch (answer.kind) {
    case 'created':
      return { status: '201 Created', location: locationOf(answer.stored, base), ...versionOf(answer.stored) }
    case 'updated':
    case 'changed-unseen':
    case 'kept':
      return { status: '200 OK', location: locationOf(answer.stored, base), ...versionOf(answer.stored) }
    case 'found':
      return { status: '200 OK', ...versionOf(answer.stored) }
    case 'not-modified':
      return { status: '304 Not Modified', ...versionOf(answer.stored) }
    case 'deleted':
      return { status: '204 No Content', ...versionOf(answer.stored) }
    case 'absent':
      return { status: '204 No Content' }
    case 'made':
      return { status: '200 OK' }
    default:
      return unreachable(answer)
  }
}

export function faultResponse(fault: Fault): object {
  const { httpStatus, title } = httpStatusOf(fault)
  return { status: `${httpStatus} ${title}`, outcome: outcomeOf(fault) }
}

/** What a version did when it was written. */
export function historyResponse(stored: HistoryEntry): object {
  const status = stored.content === undefined ? '204 No Content' : stored.isNew ? '201 Created' : '200 OK'
  return { status, ...versionOf(stored) }
}

/** The JSON to show, where there is something to show. */
export function contentOfAnswer(answer: Answer): string | undefined {
  if (answer.kind === 'made') return answer.content
  if (answer.kind === 'absent' || answer.kind === 'not-modified' || answer.kind === 'changed-unseen') return undefined
  return answer.stored.content
}

export const etagOf = ({ version }: Pick<Stored, 'version'>) => `W/"${version}"`

export const locationOf = ({ type, id, version }: Stored, base: string) => `${base}/${type}/${id}/_history/${version}`

const versionOf = (stored: Stored) => ({ etag: etagOf(stored), lastModified: stored.lastUpdated.toISOString() })
