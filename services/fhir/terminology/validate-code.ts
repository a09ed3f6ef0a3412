import { fold } from '../../../packages/fhir/fold.ts'
import { isLoincForm } from './loinc-check.ts'
import type { TerminologySource } from './source.ts'
import { isKnownUnit } from './ucum.ts'
import { anySystem, type SetCodes } from './value-set-codes.ts'

export interface CodeAnswer {
  /** `unknown`: what is here does not suffice to say; the code may be good. */
  readonly verdict: 'valid' | 'invalid' | 'unknown'
  readonly display: string | undefined
  /** Why it is not valid, or what is odd about it. */
  readonly message: string | undefined
}

interface AskedCode {
  readonly system: string
  readonly code: string
  /** What the sender thinks it means. */
  readonly display?: string | undefined
}

export async function validateCode(asked: AskedCode, source: TerminologySource): Promise<CodeAnswer> {
  const { system, code } = asked
  if (system === 'http://unitsofmeasure.org') return unitAnswer(code)
  const facts = await source.codeSystem(system)
  if (facts === undefined) return answer('unknown', `The code system ${system} is not known here.`)
  const concept = await source.concept(system, code)
  if (concept !== undefined) return { verdict: 'valid', display: concept.display, message: oddDisplay(asked, concept) }
  if (facts.isComplete) return answer('invalid', `The code system ${facts.name} has no code ${code}.`)
  if (isNoLoinc(system, code)) return answer('invalid', `${code} is not a LOINC code.`)
  return onlyAPart(facts.name, code)
}

/** @param set the codes of the value set, where all of it is known. */
export function validateCodeIn(
  set: SetCodes | undefined,
  valueSet: string,
  asked: Omit<AskedCode, 'system'> & { readonly system: string | undefined },
): CodeAnswer {
  if (set === undefined) return answer('unknown', `The value set ${valueSet} or a part of it is not known here.`)
  const found = set.codes.find(
    ({ system, code }) => code === asked.code && (asked.system === undefined || system === asked.system),
  )
  if (found === undefined) return answerOfLacking(asked, set)
  return { verdict: 'valid', display: found.display, message: oddDisplay(asked, found) }
}

/** What a value set lacks is not in it, unless it, or a system that it takes codes from, is here only in part. */
function answerOfLacking({ system, code }: { system: string | undefined; code: string }, { partly }: SetCodes) {
  const lacking = [...partly].find(([one]) => {
    const from = one === anySystem ? system : one
    return (system === undefined || from === system) && !isNoLoinc(from, code)
  })
  return lacking === undefined ? answer('invalid', `The value set has no code ${code}.`) : onlyAPart(lacking[1], code)
}

const isNoLoinc = (system: string | undefined, code: string) => system === 'http://loinc.org' && !isLoincForm(code)

const onlyAPart = (name: string, code: string) =>
  answer('unknown', `Only a part of ${name} is loaded, and ${code} is not in it.`)

const answer = (verdict: CodeAnswer['verdict'], message: string): CodeAnswer => ({
  verdict,
  display: undefined,
  message,
})

const unitAnswer = (code: string): CodeAnswer =>
  isKnownUnit(code)
    ? { verdict: 'valid', display: code, message: undefined }
    : answer('unknown', `${code} is none of the units that are known here.`)

/** A display that differs may come from another version or language: said, and not refused. */
function oddDisplay(asked: { readonly display?: string | undefined }, known: { readonly display: string | undefined }) {
  if (asked.display === undefined || known.display === undefined) return undefined
  return fold(asked.display) === fold(known.display) ? undefined : `The display of this code here is: ${known.display}`
}
