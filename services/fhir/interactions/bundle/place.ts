import type { Interaction } from '../../audit/audited-access.ts'

/** What an address below the base means: `Patient/1/_history/2?_count=5`. */
export interface Place {
  readonly type: string | undefined
  readonly id: string | undefined
  readonly version: string | undefined
  readonly isHistory: boolean
  /** `Patient/1/Observation`: resources of this type in the compartment of the one before. */
  readonly compartmentType: string | undefined
  readonly isEverything: boolean
  readonly query: string
}

/** Undefined for other servers, and for operations but $everything: a batch has those carried out elsewhere. */
export function placeOf(url: string, base: string): Place | undefined {
  const { path, query } = localAddress(url, base)
  const match = placePattern.exec(path)
  if (match === null) return undefined
  const { type, id, version, compartment } = match.groups ?? {}
  const isEverything = path.endsWith('/$everything')
  if (isEverything && type !== 'Patient') return undefined
  return {
    type,
    id,
    version,
    isHistory: path.endsWith('_history'),
    compartmentType: compartment,
    isEverything,
    query,
  }
}

/** A resource by its id, or those of a type: nothing else can be created, changed or deleted. */
export const isWritable = ({ type, version, isHistory, compartmentType, isEverything }: Place): boolean =>
  type !== undefined && version === undefined && compartmentType === undefined && !isHistory && !isEverything

/** The address of an entry below the base, cut at its question mark. */
export function localAddress(url: string, base: string): { readonly path: string; readonly query: string } {
  const local = url.startsWith(`${base}/`) ? url.slice(base.length + 1) : url.replace(/^\//, '')
  const [path = '', ...queries] = local.split('?')
  return { path, query: queries.join('?') }
}

/** The interaction that a method at a place stands for. */
export function interactionOf(
  method: string,
  { type, id, version, isHistory, compartmentType, isEverything }: Place,
): Interaction {
  switch (method) {
    case 'POST':
      return 'create'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return 'delete'
    default:
      break
  }
  if (isEverything) return 'operation'
  if (isHistory) return id !== undefined ? 'history-instance' : type !== undefined ? 'history-type' : 'history-system'
  if (version !== undefined) return 'vread'
  if (id !== undefined && compartmentType === undefined) return 'read'
  return type === undefined ? 'search-system' : 'search-type'
}

/** What was asked, where it is not one resource that was named. */
export function questionOf({ type, id, isHistory, compartmentType, isEverything, query }: Place): string | undefined {
  if (id !== undefined && !isHistory && !isEverything && compartmentType === undefined) return undefined
  const steps = [
    type,
    id,
    compartmentType,
    isEverything ? '$everything' : undefined,
    isHistory ? '_history' : undefined,
  ]
  const path = steps.filter((step) => step !== undefined).join('/')
  return query === '' ? path : `${path}?${query}`
}

const id = '[A-Za-z0-9.-]{1,64}'
const type = '[A-Z][A-Za-z]{2,63}'
const placePattern = new RegExp(
  `^(?:_history|(?<type>${type})` +
    `(?:/(?:_history|(?<id>${id})(?:/(?:_history(?:/(?<version>${id}))?|[$]everything|(?<compartment>${type}|[*])))?))?)?$`,
)
