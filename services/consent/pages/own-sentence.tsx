import { Filled } from '../../../packages/views/words/filled.tsx'
import { grantsOf } from '../grants.ts'
import type { ConsentTerms } from '../record/consent-record.ts'
import type { Words } from '../words/words.ts'
import { deedsIn, isConfined, type Told } from './consent-clauses.ts'
import type { NameOf } from './consent-sentence.tsx'
import { purposeWords, typeWords, furtherTypeWords } from './words.ts'

interface OwnSentenceProps {
  readonly terms: Told & Pick<ConsentTerms, 'actorReference' | 'periodStart' | 'periodEnd'>
  readonly nameOf: NameOf
  readonly words: Words
}

/** A consent as its patient reads it, in their language; in English it is the sentence that officers read. */
export function OwnSentence({ terms, nameOf, words: { text, day }, words }: OwnSentenceProps) {
  const { provisionType, actorReference, periodStart, periodEnd } = terms
  const form = `${provisionType}_${actorReference === null ? 'all' : 'one'}` as const
  return (
    <Filled
      text={text(`sentence_${form}`)}
      parts={{
        who: <bdi>{nameOf(actorReference)}</bdi>,
        may: <strong>{text(`may_${form}`)}</strong>,
        deeds: deedsOf(terms, words),
        purpose: purposeOf(terms, words),
        from: periodStart === null ? '' : text('from', { day: day(periodStart) }),
        until: periodEnd === null ? text('untilNotice') : text('until', { day: day(periodEnd) }),
        limits: isConfined(terms) ? text('limits') : '',
      }}
    />
  )
}

/** A record may give different operations for different types: those alike are told together. */
function deedsOf(terms: Told, { text, count, list, choice }: Words): string {
  const { provisionType } = terms
  const grants = grantsOf(terms)
  // What is refused is refused one by one: not to read or write, rather than not to do both.
  const joined = provisionType === 'deny' ? choice : list
  const rest = text(`${grants.length === 1 ? 'all' : 'rest'}_${provisionType}`)
  const kinds = (types: readonly string[]) => {
    const shown = types.length <= kindsShownMax + 1 ? types : types.slice(0, kindsShownMax)
    const more = types.length - shown.length
    const named = shown.map((type) => (isKnownType(type) ? text(`type_${type}`) : type))
    return joined.format(more === 0 ? named : [...named, count('moreKinds', more)])
  }
  return grants
    .map(({ letters, types }) => {
      const deeds = deedsIn(letters).map((deed) => text(`operation_${deed}`))
      const operations = deeds.length === 0 ? text('operation_none') : joined.format(deeds)
      return text('deed', { operations, what: types === 'rest' ? rest : kinds(types) })
    })
    .join(text(`betweenDeeds_${provisionType}`))
}

const kindsShownMax = 5

function purposeOf({ purposes, provisionType }: Told, { text, list }: Words): string {
  if (purposes.length === 0) return text(`purposeAny_${provisionType}`)
  const named = purposes.map((code) => (isKnownPurpose(code) ? text(`purpose_${code}`) : code))
  return text('purposeFor', { purposes: list.format(named) })
}

type KnownType = keyof typeof typeWords | keyof typeof furtherTypeWords

const isKnownType = (type: string): type is KnownType =>
  Object.hasOwn(typeWords, type) || Object.hasOwn(furtherTypeWords, type)

const isKnownPurpose = (code: string): code is keyof typeof purposeWords => Object.hasOwn(purposeWords, code)
