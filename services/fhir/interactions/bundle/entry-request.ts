import { incorrect } from '../../../../packages/faults/fault.ts'
import { criteriaSent } from '../if-none-exist.ts'
import { placeOf, type Place } from './place.ts'

/** One entry of a batch or transaction, taken apart. */
export interface EntryRequest {
  /** Its place in the bundle. */
  readonly index: number
  readonly method: EntryMethod
  readonly place: Place
  readonly fullUrl: string | undefined
  readonly resource: unknown
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly ifModifiedSince: string | undefined
  readonly ifNoneExist: string | undefined
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type EntryMethod = (typeof methods)[number]

export const isReading = ({ method }: EntryRequest): boolean => method === 'GET' || method === 'HEAD'

export function entryRequestOf(entry: unknown, index: number, base: string): EntryRequest {
  const { fullUrl, resource, request } = membersOf(entry)
  const asked = membersOf(request)
  const { method, url } = asked
  if (!isMethod(method)) throw wrong('request.method', `must be one of ${methods.join(', ')}`)
  if (typeof url !== 'string') throw wrong('request.url', 'is required')
  if (fullUrl !== undefined && typeof fullUrl !== 'string') throw wrong('fullUrl', 'must be a text')
  const place = placeOf(url, base)
  if (place === undefined) throw wrong('request.url', 'is not an address of this server that a bundle may use')
  const ifNoneExist = textOf(asked['ifNoneExist'])
  return {
    index,
    method,
    place,
    fullUrl,
    resource,
    ifMatch: textOf(asked['ifMatch']),
    ifNoneMatch: textOf(asked['ifNoneMatch']),
    ifModifiedSince: textOf(asked['ifModifiedSince']),
    ifNoneExist: ifNoneExist === undefined ? undefined : criteriaSent(ifNoneExist, place.type, base),
  }
}

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

const isMethod = (word: unknown): word is EntryMethod => methods.some((method) => method === word)

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

const wrong = (path: string, message: string) =>
  incorrect('An entry of the bundle cannot be read.', { fields: [{ path, message }] })
