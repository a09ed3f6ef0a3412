/** Whether a number of LOINC has that check digit: modulus 10, as its users' guide has it (appendix C). */
export const hasLoincCheckDigit = (digits: string, check: string): boolean => checkDigitOf(digits) === Number(check)

/** Every second digit twice, from the last one on. */
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
