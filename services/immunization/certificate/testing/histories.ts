import type { CertifiedDose } from '../certified-dose.ts'

const vaccines = [
  ['19', 'BCG'],
  ['08', 'Hepatitis B, pediatric'],
  ['02', 'Oral polio vaccine, bivalent'],
  ['198', 'DTP-hepB-Hib pentavalent'],
  ['133', 'Pneumococcal conjugate PCV 13'],
  ['119', 'Rotavirus, monovalent'],
  ['03', 'Measles, mumps and rubella'],
  ['37', 'Yellow fever'],
] as const

/** A history of that many doses over eight vaccines, newest first. */
export function history(count: number): CertifiedDose[] {
  const doses = Array.from({ length: count }, (_, at) => {
    const [code, name] = vaccines[at % vaccines.length] ?? vaccines[0]
    return {
      vaccineCode: code,
      vaccineName: name,
      vaccineSystem: 'http://hl7.org/fhir/sid/cvx',
      occurrenceDate: new Date(Date.UTC(2025, 2, 1 + at * 9)).toISOString().slice(0, 10),
      lotNumber: `L${1000 + at}`,
      performerDisplay: 'Riverside Health Centre',
      doseNumber: String(Math.floor(at / vaccines.length) + 1),
      status: 'completed',
      patientReported: false,
      isSubpotent: false,
      occurrencePrecision: 'day' as const,
    }
  })
  return doses.toReversed()
}
