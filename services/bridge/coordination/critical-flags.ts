import type { CodeableConcept, ObservationComponent } from '../../../packages/fhir/r4.ts'

/** Critical high, critical low, critically abnormal. */
export type CriticalFlag = 'HH' | 'LL' | 'AA'

/** Whatever mark a laboratory has for it: table 0078 has three, and many a laboratory its own. */
export function criticalFlags(part: Pick<ObservationComponent, 'interpretation' | 'referenceRange'>): CriticalFlag[] {
  const marks = (part.interpretation ?? []).flatMap(marksOf)
  const found = marks.map((mark) => (isWithinScale(mark, part) ? undefined : flagOf(mark)))
  return [...new Set(found.filter((flag) => flag !== undefined))].sort()
}

/** A text alone where there is no code: `^Critical high`. A letter that stands for something else says so: `C^Corrected`. */
function marksOf({ coding = [], text }: CodeableConcept): string[] {
  const marks = coding.flatMap(({ code, display = text }) =>
    code === undefined || (code === 'C' && isOfSomethingElse(display)) ? [] : [code],
  )
  return coding.length > 0 || text === undefined ? marks : [text]
}

const isOfSomethingElse = (display: string | undefined): boolean =>
  display !== undefined && /^(corr|conf|canc|comm|cont)/i.test(display.trim())

function flagOf(mark: string): CriticalFlag | undefined {
  const plain = mark.toUpperCase().replaceAll(/[\s()[\]#_-]/g, '')
  const tail = plain.replace(/^[*!]+/, '')
  const said = marks.get(plain) ?? marks.get(tail) ?? marks.get(withoutStars(tail))
  if (said !== undefined) return said
  const word = words.exec(plain)
  return word === null ? undefined : (sides.get((word[1] ?? word[2])?.charAt(0) ?? '') ?? 'AA')
}

/** `HH*` and `HH!!` are `HH`. No pattern: one that looks for an end is slow on a text that is all stars. */
function withoutStars(mark: string): string {
  const [letters = '', ...behind] = mark.split(/[*!]/)
  return behind.every((text) => text === '') ? letters : mark
}

const marks: ReadonlyMap<string, CriticalFlag> = new Map([
  ...(['HH', '>', 'CH', 'HC', 'PH', 'HP', 'H*', 'H**'] as const).map((mark) => [mark, 'HH'] as const),
  ...(['LL', '<', 'CL', 'LC', 'PL', 'LP', 'L*', 'L**'] as const).map((mark) => [mark, 'LL'] as const),
  ...(['AA', 'C', 'A*', 'A**', '!!'] as const).map((mark) => [mark, 'AA'] as const),
])

/** `CRITICAL`, `Panic low`, `High critical`; not `Not critical`. */
const words = /^(HIGH|LOW|ABNORMAL)?(?:CRIT|CRITICAL|CRITICALLY|PANIC)(HIGH|LOW|ABNORMAL|[HL])?$/

const sides: ReadonlyMap<string, CriticalFlag> = new Map([
  ['H', 'HH'],
  ['L', 'LL'],
])

/**
 * Off the scale of an instrument (`<`, `>`) is where it cannot be lower or higher. That is no danger on a side on which the
 * range of the result has no end: nobody is in danger by a CRP that is too low to be measured.
 */
function isWithinScale(mark: string, { referenceRange = [] }: Pick<ObservationComponent, 'referenceRange'>): boolean {
  const sign = mark.trim()
  if (sign === '<')
    return referenceRange.some(({ low, high }) => high !== undefined && (low?.value === undefined || low.value <= 0))
  return sign === '>' && referenceRange.some(({ low, high }) => low !== undefined && high === undefined)
}
