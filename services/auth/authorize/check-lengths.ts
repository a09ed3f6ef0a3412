import type { AuthDeps } from '../deps.ts'
import { refusal, type Asked, type Refusal } from './asked.ts'

/** What an app may choose at will is kept while its user signs in, so it has a length. */
export function checkLengths({ parameters }: Asked, { settings }: Pick<AuthDeps, 'settings'>): Refusal | undefined {
  const { scopeLengthMax, stateLengthMax } = settings
  if ((parameters['scope'] ?? '').length > scopeLengthMax)
    return refusal('invalid_scope', `scope has more than ${scopeLengthMax} characters.`)
  if ((parameters['state'] ?? '').length > stateLengthMax)
    return refusal('invalid_request', `state has more than ${stateLengthMax} characters.`)
  return undefined
}
