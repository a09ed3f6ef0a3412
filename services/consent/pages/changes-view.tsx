import { Badge } from '../../../packages/views/components/badge.tsx'
import { operationsInWords } from './consent-clauses.ts'
import type { NameOf } from './consent-sentence.tsx'
import type { ToldChange } from './preview.ts'
import { furtherPurposes, furtherTypes } from './what-changes.ts'
import { listed, purposeWord, typeWord } from './words.ts'

/** Which answers turn round, each as a sentence. */
export function ChangesView({ changes, nameOf }: { readonly changes: readonly ToldChange[]; readonly nameOf: NameOf }) {
  return (
    <ul class="link-list" aria-label="What will change">
      {changes.map((change, index) => (
        <li key={index}>
          <p class="strong">
            <Badge tone={change.permitted ? 'good' : 'bad'}>
              {change.permitted ? '✓ No becomes yes' : '✕ Yes becomes no'}
            </Badge>{' '}
            <Actors {...change} nameOf={nameOf} /> {change.permitted ? 'will be able to' : 'will no longer be able to'}{' '}
            {operationsInWords(change.letters)} {typesInWords(change.types)} {purposesInWords(change.purposes)}.
          </p>
        </li>
      ))}
    </ul>
  )
}

function Actors({ actors, more, nameOf }: Pick<ToldChange, 'actors' | 'more'> & { readonly nameOf: NameOf }) {
  const named = actors.filter((actor) => actor !== null)
  const isForAll = named.length < actors.length
  if (named.length === 0) return <>Everybody</>
  return (
    <>
      {named.map((actor, index) => (
        <>
          {index > 0 && ', '}
          <bdi>{nameOf(actor)}</bdi>
        </>
      ))}
      {more > 0 && `${isForAll ? ', ' : ' and '}${more} more`}
      {isForAll && ' and everybody else'}
    </>
  )
}

function typesInWords(types: ToldChange['types']): string {
  if (types === 'all') return 'everything in the record'
  const named = types.filter((type) => type !== furtherTypes).map(typeWord)
  const further = types.includes(furtherTypes) ? ['every kind that no consent names'] : []
  return [...(named.length === 0 ? [] : [listed(named)]), ...further].join(' and ')
}

function purposesInWords(purposes: ToldChange['purposes']): string {
  if (purposes === 'all') return 'for any purpose'
  const named = purposes.filter((purpose) => purpose !== furtherPurposes).map(purposeWord)
  const further = purposes.includes(furtherPurposes) ? ['every purpose that no consent names'] : []
  // All of them: of those that are left out nobody could say whether they are among "more".
  return `for ${listed([...named, ...further], named.length + 1)}`
}
