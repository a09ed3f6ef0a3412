import { vaccineGroups, type CertifiedDose, type VaccineGroup } from './certified-dose.ts'
import { certificatePayload, payloadText, type CertificateInput } from './payload.ts'
import { fitsOneCode } from './qr-matrix.ts'

/** One of the codes of a certificate; each is a complete certificate for what it holds. */
export interface CertificateCode {
  /** Counted from 1. */
  readonly number: number
  readonly of: number
  readonly vaccineNames: readonly string[]
  readonly doses: number
  /** What the QR code says. */
  readonly text: string
}

/**
 * The whole certificate in one code when it fits; else one code per vaccine group. A vaccine with so many doses that
 * it fits no code alone (some twenty) is cut into runs of doses. A dose that fits no code, because somebody wrote a page
 * in the place of a lot, is in none.
 */
export function certificateCodes(input: CertificateInput): readonly CertificateCode[] {
  const groups = vaccineGroups(input.immunizations)
  const whole = codeOf(
    input,
    groups.flatMap(({ doses }) => doses),
  )
  // Where the name alone fits no code no dose does, and not each of them has to be tried.
  const isHopeless = !fitsOneCode(textOf(input, []))
  const parts = fitsOneCode(whole.text)
    ? [whole]
    : (isHopeless ? [] : groups).flatMap(({ doses }) => runsThatFit(input, doses).map((run) => codeOf(input, run)))
  return parts.map((part, at) => ({ ...part, number: at + 1, of: parts.length }))
}

/** Whether some dose of what is certified is in no code. */
export const leavesOut = (codes: readonly CertificateCode[], groups: readonly Pick<VaccineGroup, 'doses'>[]): boolean =>
  codes.reduce((sum, { doses }) => sum + doses, 0) < groups.flatMap(({ doses }) => doses).length

/** The numbers of the doses are counted in the whole group, before it is cut. */
function runsThatFit(input: CertificateInput, doses: readonly CertifiedDose[]): readonly (readonly CertifiedDose[])[] {
  const numbered = withNumbers(input, doses)
  const runs: CertifiedDose[][] = []
  for (const dose of numbered) {
    const run = runs.at(-1)
    if (run !== undefined && fitsOneCode(textOf(input, [...run, dose]))) run.push(dose)
    else if (fitsOneCode(textOf(input, [dose]))) runs.push([dose])
  }
  return runs
}

function withNumbers(input: CertificateInput, doses: readonly CertifiedDose[]): readonly CertifiedDose[] {
  const [vaccine] = certificatePayload({ ...input, immunizations: doses }).msg.ve
  return doses.map((dose, at) => ({ ...dose, doseNumber: String(vaccine?.vd[at]?.seq ?? at + 1) }))
}

const textOf = (input: CertificateInput, doses: readonly CertifiedDose[]) =>
  payloadText(certificatePayload({ ...input, immunizations: doses }))

function codeOf(input: CertificateInput, doses: readonly CertifiedDose[]): Omit<CertificateCode, 'number' | 'of'> {
  const vaccineNames = vaccineGroups(doses).map(({ label }) => label)
  return { vaccineNames, doses: doses.length, text: textOf(input, doses) }
}
