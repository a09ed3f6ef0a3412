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
  return digits !== undefined && Number(check) === checkDigitOf(digits)
}

/** Modulus 10, as the LOINC users' guide has it (appendix C): every second digit twice, from the last one on. */
function checkDigitOf(digits: string): number {
  const sum = digits
    .split('')
    .toReversed()
    .reduce((sofar, digit, place) => sofar + crossSum(Number(digit), place), 0)
  return (10 - (sum % 10)) % 10
}

const crossSum = (digit: number, place: number): number => {
  const value = place % 2 === 0 ? digit * 2 : digit
  return value > 9 ? value - 9 : value
}
