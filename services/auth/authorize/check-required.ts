import { incorrect } from '../../../packages/faults/fault.ts'
import type { Asked } from './asked.ts'

const required = ['response_type', 'scope', 'state', 'aud'] as const

/** Shown, not redirected, as the specification's table has it: a client that leaves these out was never finished. */
export function checkRequired({ parameters }: Asked): undefined {
  const absent = required.filter((name) => parameters[name] === undefined)
  if (absent.length === 0) return
  throw incorrect(`${absent.join(', ')} ${absent.length === 1 ? 'is' : 'are'} required.`, { code: 'invalid_request' })
}
