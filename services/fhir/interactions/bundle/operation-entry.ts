import type { Answer, AnsweredPart } from '../answer.ts'
import { touchedBy } from '../answer.ts'
import { askedInParameters } from '../query-in-parameters.ts'
import { localAddress } from './place.ts'

/** An entry of a batch that asks for an operation, or for what this server can do. */
export interface OperationEntry {
  readonly method: 'GET' | 'POST'
  /** Below the base: `ValueSet/$expand`, `metadata`. */
  readonly path: string
  readonly query: string
  /** What a request would send as its body; undefined where the entry has none. */
  readonly resource: unknown
}

/** Carries it out as the request that it stands for. */
export type Operate = (entry: OperationEntry) => Promise<Answer>

/** Undefined where the entry is something else, or nothing that can be read: that is said where entries are. */
export function operationEntryOf(entry: unknown, base: string): OperationEntry | undefined {
  const { resource, request } = (entry ?? {}) as { resource?: unknown; request?: unknown }
  const { method, url } = (request ?? {}) as { method?: unknown; url?: unknown }
  if ((method !== 'GET' && method !== 'POST') || typeof url !== 'string') return undefined
  const { path, query } = localAddress(url, base)
  const isMeant = path === 'metadata' ? method === 'GET' : operationPath.test(path) && !isEverything(method, path)
  return isMeant ? { method, path, query, resource } : undefined
}

const operationPath = /^[A-Z][A-Za-z]{2,63}\/(?:[A-Za-z0-9.-]{1,64}\/)?[$][a-z-]{1,32}$/

/** It is a search, and read as one. */
const isEverything = (method: string, path: string) => method === 'GET' && path.endsWith('/$everything')

export function partOfOperation(entry: OperationEntry, answer?: Answer): AnsweredPart {
  return {
    interaction: 'operation',
    touched: answer === undefined ? [] : touchedBy(answer),
    question: askedAt({ ...entry, query: queryOf(entry) }),
  }
}

/** With what its resource asks for, where that is all that it says. */
function queryOf({ path, query, resource }: OperationEntry): string {
  if (resource === undefined || !path.endsWith('/$everything')) return query
  return [query, askedInParameters(() => resource)].filter((part) => part !== '').join('&')
}

/** What is asked at the address of an operation; undefined for all others. */
export function questionOfOperation(url: string, base: string): string | undefined {
  const address = localAddress(url, base)
  return operationPath.test(address.path) ? askedAt(address) : undefined
}

const askedAt = ({ path, query }: Pick<OperationEntry, 'path' | 'query'>) => (query === '' ? path : `${path}?${query}`)
