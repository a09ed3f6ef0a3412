import type { Parameters } from '../../../../packages/fhir/r4.ts'
import { canonicalOf } from '../canonical.ts'
import { notKnown } from '../not-known.ts'
import type { TerminologySource } from '../source.ts'
import { requireVersion } from '../require-version.ts'
import { validateCode, validateCodeIn, type CodeAnswer } from '../validate-code.ts'
import { codesOf } from '../value-set-codes.ts'
import { askedCodings, neededCanonical, ofEachCoding, wrong, type OperationInput } from './operation-input.ts'

/** `CodeSystem/$validate-code`: here `url` names the code system. */
export async function validateInSystem(input: OperationInput, source: TerminologySource): Promise<Parameters> {
  const { url, version = input.text('version') } = canonicalOf(input.text('url') ?? '')
  const answers = await ofEachCoding(input, async ({ code = '', system = url, display }) => {
    if (system === '') throw wrong('url', 'is needed: the address of the code system')
    if (system === url) await requireVersion(url, version, source)
    return validateCode({ system, code, display }, source)
  })
  return answerOf(answers)
}

/** `ValueSet/$validate-code`: here `url` names the value set and `system` the code system. */
export async function validateInSet(input: OperationInput, source: TerminologySource): Promise<Parameters> {
  const url = neededCanonical(input, 'valueSetVersion')
  if ((await source.valueSet(url)) === undefined) throw await notKnown('ValueSet', url, source)
  const codings = askedCodings(input)
  const set = await codesOf(url, source, input.newWork())
  return answerOf(codings.map(({ code = '', system, display }) => validateCodeIn(set, url, { code, system, display })))
}

/** One good coding makes a concept good: the others translate it. */
function answerOf(answers: readonly CodeAnswer[]): Parameters {
  const best = answers.find(({ verdict }) => verdict === 'valid') ?? answers[0]
  return {
    resourceType: 'Parameters',
    parameter: [
      { name: 'result', valueBoolean: best?.verdict === 'valid' },
      ...(best?.message === undefined ? [] : [{ name: 'message', valueString: best.message }]),
      ...(best?.display === undefined ? [] : [{ name: 'display', valueString: best.display }]),
    ],
  }
}
