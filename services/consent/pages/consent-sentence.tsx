import type { ConsentTerms } from '../record/consent-record.ts'
import { clausesOf, dayInWords, type Told } from './consent-clauses.ts'

export type NameOf = (reference: string | null | undefined) => string

interface ConsentSentenceProps {
  readonly terms: Told & Pick<ConsentTerms, 'actorReference' | 'periodStart' | 'periodEnd'>
  readonly nameOf: NameOf
}

/** A consent in plain words: `Central Hospital may read and write results for treatment until 4 Mar 2027`. */
export function ConsentSentence({ terms, nameOf }: ConsentSentenceProps) {
  const { provisionType, periodStart, periodEnd } = terms
  const { deeds, purpose, isConfined } = clausesOf(terms)
  const isRefused = provisionType === 'deny'
  return (
    <>
      <Who {...terms} nameOf={nameOf} /> {deeds.join(isRefused ? ', or ' : ', and ')} {purpose}
      {periodStart !== null && <Day word="from" day={periodStart} />}
      {periodEnd === null ? ', until further notice' : <Day word="until" day={periodEnd} />}
      {isConfined && ', within limits that the exact record names'}.
    </>
  )
}

function Who({ actorReference, provisionType, nameOf }: ConsentSentenceProps['terms'] & { readonly nameOf: NameOf }) {
  const isRefused = provisionType === 'deny'
  if (actorReference === null) return isRefused ? <strong>Nobody may</strong> : <>Everybody {may}</>
  return (
    <>
      <bdi>{nameOf(actorReference)}</bdi> {isRefused ? <strong>may not</strong> : may}
    </>
  )
}

const may = <strong>may</strong>

function Day({ word, day }: { readonly word: string; readonly day: string }) {
  return (
    <>
      {' '}
      {word}{' '}
      <time class="nowrap" dateTime={day}>
        {dayInWords(day)}
      </time>
    </>
  )
}
