import { seededRandom, type Random } from '../clock/ids.ts'

export const canaryKinds = [
  'name',
  'birth date',
  'national id',
  'phone',
  'address',
  'note',
  'observation text',
  'password',
  'code',
  'verifier',
  'launch',
  'token',
  'cookie',
  'key part',
] as const

type CanaryKind = (typeof canaryKinds)[number]

export interface Canary {
  readonly kind: CanaryKind
  readonly value: string
}

/**
 * Patient data and secrets that occur nowhere by chance. A test feeds them through every road into Corridor and then
 * looks for them in everything that comes out of it beside the answers: logs, metrics, error texts, files.
 */
export class Canaries {
  readonly all: readonly Canary[]

  constructor(all: readonly Canary[]) {
    this.all = all
  }

  of(kind: CanaryKind): readonly string[] {
    return this.all.filter((canary) => canary.kind === kind).map((canary) => canary.value)
  }

  /** One of the kind; the number picks which, so that several fields can hold different ones. */
  one(kind: CanaryKind, number = 0): string {
    const values = this.of(kind)
    return values[number % values.length] ?? ''
  }
}

/** The same canaries for the same seed; five of each kind. */
export function makeCanaries(seed: number): Canaries {
  const random = seededRandom(seed)
  const fresh = (make: (random: Random) => string) => {
    const values = new Set<string>()
    while (values.size < eachKind) values.add(make(random))
    return [...values]
  }
  return new Canaries(canaryKinds.flatMap((kind) => fresh(makers[kind]).map((value) => ({ kind, value }))))
}

const eachKind = 5

const makers: Readonly<Record<CanaryKind, (random: Random) => string>> = {
  // A letter outside ASCII, since that is what escapes and encodings change.
  name: (random) => `Qué${letters(random, 6)}`,
  // Dates that no living patient and no fixture has.
  'birth date': (random) => `18${digits(random, 2)}-0${1 + random.below(9)}-${10 + random.below(19)}`,
  'national id': (random) => `NIN${digits(random, 11)}`,
  phone: (random) => `+999 ${digits(random, 3)} ${digits(random, 6)}`,
  address: (random) => `${digits(random, 3)} ${letters(random, 5)} "Old" Röad`,
  note: (random) => `patient told us <${letters(random, 8)}> & more`,
  'observation text': (random) => `finding ${letters(random, 8)}/${letters(random, 4)} seen`,
  password: (random) => `pw-${letters(random, 10)}!`,
  code: (random) => `code_${base64url(random, 24)}`,
  verifier: (random) => `vrf~${base64url(random, 43)}`,
  launch: (random) => `launch-${base64url(random, 22)}`,
  token: (random) => `eyJ${base64url(random, 20)}.eyJ${base64url(random, 40)}.${base64url(random, 43)}`,
  cookie: (random) => `sid${base64url(random, 32)}`,
  'key part': (random) => `MIIEv${base64url(random, 48)}`,
}

const lowerCase = 'abcdefghijklmnopqrstuvwxyz'
const base64urlSigns = `ABCDEFGHIJKLMNOPQRSTUVWXYZ${lowerCase}0123456789-_`

const letters = (random: Random, count: number) => pick(random, lowerCase, count)
const digits = (random: Random, count: number) => pick(random, '0123456789', count)
const base64url = (random: Random, count: number) => pick(random, base64urlSigns, count)

function pick(random: Random, signs: string, count: number): string {
  return Array.from({ length: count }, () => signs.charAt(random.below(signs.length))).join('')
}
