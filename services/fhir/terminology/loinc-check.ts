/** Whether a text has the form of a LOINC code and its check digit is right (mod 10, as LOINC's manual says). */
export function isLoincForm(code: string): boolean {
  const match = /^(?:LP|LA|LL|LG)?(\d{1,7})-(\d)$/.exec(code)
  if (match === null) return false
  const [, number = '', check] = match
  let sum = 0
  for (const [place, digit] of number.split('').reverse().entries()) {
    const value = Number(digit) * (place % 2 === 0 ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return (10 - (sum % 10)) % 10 === Number(check)
}
