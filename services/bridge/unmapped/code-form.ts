import { hasLoincCheckDigit } from '../../../packages/fhir/loinc.ts'
import { loinc } from '../mapping/terms.ts'

/** What is wrong with the form of a code of that system, as the end of a sentence. Whether there is such a code nobody knows here. */
export function wrongFormOf(code: string, system: string): string | undefined {
  if (/\s/.test(code)) return 'must be a code, which has no spaces: words go into the field for what it means'
  if (system === loinc && !isLoinc(code)) {
    return 'must be a LOINC code, such as 718-7: digits, a dash and their check digit'
  }
  return undefined
}

function isLoinc(code: string): boolean {
  const [, digits, check] = /^(\d{1,7})-(\d)$/.exec(code) ?? []
  return digits !== undefined && check !== undefined && hasLoincCheckDigit(digits, check)
}
