import { errorTexts, type ErrorCode, type Issue, type Location, type Severity } from './issue.ts'
import type { Message } from './message.ts'
import type { Part } from './part.ts'
import type { Segment } from './segment.ts'
import { readSi } from './types/numbers.ts'

/** The issues of an answer as they were written into its ERR segments, in either form: to tell them once more. */
export function readIssues(answer: Message): Issue[] {
  return answer
    .segments('ERR')
    .flatMap((err) => (err.rawField(3) === undefined ? err.repetitions(1).map(ofOldForm) : [ofErr(err)]))
}

function ofErr(err: Segment): Issue {
  const code = codeOf(err.text(3))
  const [location, own, ownText, system] = [locationOf(err.part(2)), err.text(5), err.text(5, 2), err.text(5, 3)]
  const diagnostics = err.text(7)
  return {
    code,
    severity: severities.find((known) => known === err.text(4)) ?? 'E',
    text: err.text(8) ?? errorTexts[code],
    ...(location === undefined ? {} : { location }),
    ...(own === undefined
      ? {}
      : {
          applicationCode: {
            code: own,
            ...(ownText === undefined ? {} : { text: ownText }),
            ...(system === undefined ? {} : { system }),
          },
        }),
    ...(diagnostics === undefined ? {} : { diagnostics }),
  }
}

/** ELD, before 2.5: segment, sequence, field, and the condition as sub-components. */
function ofOldForm(place: Part): Issue {
  const code = codeOf(place.text(4))
  const location = locationOf(place, oldPlaces)
  return {
    code,
    severity: 'E',
    text: place.text(4, 2) ?? errorTexts[code],
    ...(location === undefined ? {} : { location }),
  }
}

/** The components of ERL in their order; ELD has the first three. */
const places = ['sequence', 'field', 'repetition', 'component', 'subcomponent'] as const
const oldPlaces = ['sequence', 'field'] as const

function locationOf(part: Part | undefined, names: readonly (typeof places)[number][] = places): Location | undefined {
  const segment = part?.text(1)
  if (part === undefined || segment === undefined) return undefined
  const numbers = names.flatMap((name, index) => {
    const number = readSi(part.part(index + 2))
    return number === undefined ? [] : [[name, number] as const]
  })
  return { segment, ...Object.fromEntries(numbers) }
}

const severities: readonly Severity[] = ['E', 'W', 'I', 'F']

const codeOf = (sent: string | undefined): ErrorCode =>
  // Sound: the table has it.
  sent !== undefined && Object.hasOwn(errorTexts, sent) ? (sent as ErrorCode) : '207'
