import { hasLoincCheckDigit } from '../../../packages/fhir/loinc.ts'

/**
 * Whether a text has the form of a LOINC code and its check digit is right. Of parts, answers, lists and groups (LP, LA,
 * LL, LG) the form must do: their digit is not that of their number alone (LA33-6, where 33-1 would be right).
 */
export function isLoincForm(code: string): boolean {
  const [, letters, digits = '', check = ''] = /^(LP|LA|LL|LG)?(\d{1,7})-(\d)$/.exec(code) ?? []
  return digits !== '' && (letters !== undefined || hasLoincCheckDigit(digits, check))
}
