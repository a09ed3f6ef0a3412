import { createHash } from 'node:crypto'
import type { ConceptMap } from '../../../packages/fhir/r4.ts'
import type { UnmappedCodeRow } from '../store/unmapped-codes.ts'

/** The ConceptMap that says what one code of a sender means. One a code, of all senders that share it. */
export function codeMapFor(
  { system, code, display, target }: Pick<UnmappedCodeRow, 'system' | 'code' | 'display' | 'target'>,
  meaning: { readonly code: string; readonly display?: string | undefined },
): { readonly resource: ConceptMap; readonly criteria: Readonly<Record<string, string>> } {
  const name = createHash('sha256')
    .update(JSON.stringify([system, code, target]))
    .digest('hex')
    .slice(0, 32)
  const url = `urn:corridor:code-map:${name}`
  return {
    criteria: { url },
    resource: {
      resourceType: 'ConceptMap',
      url,
      status: 'active',
      title: `What ${code} of a sender means`,
      group: [
        {
          source: system,
          target,
          element: [
            {
              code,
              ...(display === null ? {} : { display }),
              target: [
                {
                  code: meaning.code,
                  ...(meaning.display === undefined ? {} : { display: meaning.display }),
                  equivalence: 'equivalent',
                },
              ],
            },
          ],
        },
      ],
    },
  }
}
