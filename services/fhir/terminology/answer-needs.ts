import { sideBySide } from '../../../packages/clock/side-by-side.ts'
import type { Coding } from '../../../packages/fhir/r4.ts'
import type { CodeNeed, CodeOf, TermAnswer } from '../../../ports/terminology/terminology.ts'
import type { TerminologySource } from './source.ts'
import { isSafe, translate } from './translate.ts'
import { validateCode } from './validate-code.ts'

/** The terminology port, in the same process. A message may have thousands of codes, and others need the database, too. */
export function answerNeeds(needs: readonly CodeNeed[], source: TerminologySource): Promise<TermAnswer[]> {
  return sideBySide(needs, 8, (need) => (need.system === need.target ? checked(need, source) : mapped(need, source)))
}

/** Only what is known to be wrong is refused: a part of a code system cannot tell about the rest. */
async function checked({ system, code, display: given }: CodeNeed, source: TerminologySource): Promise<TermAnswer> {
  const { verdict, display = given } = await validateCode({ system, code }, source)
  return verdict === 'invalid' ? 'unmapped' : [codingOf({ system, code, display })]
}

async function mapped({ system, code, target }: CodeNeed, source: TerminologySource): Promise<TermAnswer> {
  const found = (await translate({ system, code, targetSystem: target }, source)).filter(isSafe)
  return found.length === 0 ? 'unmapped' : found.map(codingOf)
}

export async function lookUp({ system, code }: CodeOf, source: TerminologySource): Promise<Coding | undefined> {
  const { verdict, display } = await validateCode({ system, code }, source)
  return verdict === 'valid' ? codingOf({ system, code, display }) : undefined
}

const codingOf = ({ system, code, display }: CodeOf & { readonly display: string | undefined }): Coding => ({
  system,
  code,
  ...(display === undefined ? {} : { display }),
})
