import { missing } from '../../../packages/faults/fault.ts'
import { isVersion } from './canonical.ts'
import type { TerminologySource } from './source.ts'

/** Of a code system one version is answered from. Another one may say something else of a code. */
export async function requireVersion(
  system: string,
  version: string | undefined,
  source: Pick<TerminologySource, 'codeSystem'>,
): Promise<void> {
  const facts = version === undefined ? undefined : await source.codeSystem(system)
  if (facts === undefined || isVersion(version, facts.version)) return
  throw missing(`The version ${version} of the code system ${facts.name} is not known here.`)
}
