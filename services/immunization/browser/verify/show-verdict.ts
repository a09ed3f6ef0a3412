// Writes a verdict into the page. Only text is set, never markup: what was scanned comes from a stranger.
import type { CertifiedDose, Verdict } from './parts.ts'

interface VerdictWords {
  readonly valid: string
  readonly invalid: string
  readonly doubts: Readonly<Record<string, string>>
  readonly doseDetail: Readonly<Record<'lot' | 'givenBy', string>>
  readonly unknownVaccine: string
}

export interface VerdictPlaces {
  readonly words: VerdictWords
  /** CVX code to name. */
  readonly vaccines: Readonly<Record<string, string>>
}

export function showVerdict(verdict: Verdict, { words, vaccines }: VerdictPlaces): void {
  const section = part('verdict')
  section.dataset['outcome'] = verdict.isValid ? 'valid' : 'invalid'
  part('verdict-title').textContent = verdict.isValid ? words.valid : words.invalid
  part('verdict-reason').textContent = verdict.isValid ? '' : (words.doubts[verdict.why] ?? '')
  part('certified').hidden = !verdict.isValid
  if (verdict.isValid) {
    const { name, birthDate, issuedAt, doses } = verdict.certified
    part('certified-name').textContent = name
    part('certified-birth').textContent = birthDate ?? '–'
    part('certified-issued').textContent = issuedAt?.slice(0, 10) ?? '–'
    part('certified-doses').replaceChildren(
      ...doses.map((dose) =>
        item(vaccineName(dose, vaccines) ?? words.unknownVaccine, dose.date ?? '–', detail(dose, words)),
      ),
    )
  }
  section.hidden = false
  part('verdict-title').focus()
}

export function hideVerdict(): void {
  part('verdict').hidden = true
}

const vaccineName = ({ name, code, system }: CertifiedDose, vaccines: Readonly<Record<string, string>>) =>
  name ?? (system === undefined || system.endsWith('/cvx') ? vaccines[code ?? ''] : undefined) ?? code

/** What was scanned keeps its own direction among words of another. */
function isolated(text: string): HTMLElement {
  return Object.assign(document.createElement('bdi'), { textContent: text })
}

function detail({ lot, givenBy }: CertifiedDose, { doseDetail }: VerdictWords): (string | HTMLElement)[] {
  const parts = [
    ...(lot === undefined ? [] : [[`${doseDetail.lot} `, isolated(lot)]]),
    ...(givenBy === undefined ? [] : [[`${doseDetail.givenBy} `, isolated(givenBy)]]),
  ]
  return parts.flatMap((each, index) => (index === 0 ? each : [' · ', ...each]))
}

/** The vaccine and its day on one line, the rest beneath. */
function item(vaccine: string, day: string, rest: readonly (string | HTMLElement)[]): HTMLLIElement {
  const line = document.createElement('li')
  const parts = [
    ['strong', [isolated(vaccine)]],
    ['span', [day]],
    ['small', rest],
  ] as const
  for (const [name, content] of parts) {
    const element = document.createElement(name)
    element.append(...content)
    line.append(element)
  }
  return line
}

export function part(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}
