import { DefinitionList } from '../../../packages/views/components/definition-list.tsx'
import type { ConsentTerms } from '../record/consent-record.ts'

/** What it rests on, and what was written about it; the reason of a revocation is a line of the note. */
export function ConsentGround({ terms }: { readonly terms: Pick<ConsentTerms, 'regulatoryBasis' | 'note'> }) {
  const { regulatoryBasis, note } = terms
  return (
    <DefinitionList
      items={[
        ...(regulatoryBasis === null ? [] : [{ term: 'Legal basis', value: <bdi>{regulatoryBasis}</bdi> }]),
        ...(note === null ? [] : [{ term: 'Note', value: <bdi class="preserve-lines">{note}</bdi> }]),
      ]}
    />
  )
}
