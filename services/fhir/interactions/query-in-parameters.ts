import { Fault, incorrect } from '../../../packages/faults/fault.ts'
import { checkIsResource } from './prepare-body.ts'

/** The query that asks for the same as a Parameters resource: what has one value each, lists with commas. */
export function queryInParameters(body: unknown): string {
  checkIsResource('Parameters', body)
  const { parameter = [] } = body as { parameter?: unknown }
  if (!Array.isArray(parameter)) throw wrong('Parameters.parameter', 'must be a list')
  const values = new Map<string, string[]>()
  for (const [index, given] of parameter.entries()) {
    const { name, value } = read(given, `Parameters.parameter[${index}]`)
    values.set(name, [...(values.get(name) ?? []), value])
  }
  return new URLSearchParams([...values].map(([name, all]) => [name, all.join(',')])).toString()
}

/** The same for the audit log, as far as it can be read: what cannot be was refused for that. */
export function askedInParameters(body: () => unknown): string {
  try {
    return queryInParameters(body())
  } catch (thrown) {
    if (thrown instanceof Fault) return ''
    throw thrown
  }
}

function read(given: unknown, path: string): { name: string; value: string } {
  const members = Object.entries((given ?? {}) as Record<string, unknown>)
  const name = members.find(([member]) => member === 'name')?.[1]
  const value = members.find(([member]) => /^value[A-Z]/.test(member))?.[1]
  if (typeof name !== 'string') throw wrong(path, 'has no name')
  if (typeof value !== 'string' && typeof value !== 'number') throw wrong(path, 'must have a simple value')
  return { name, value: String(value) }
}

const wrong = (path: string, message: string) =>
  incorrect('The parameters of the operation are not valid.', { fields: [{ path, message }] })
