import { sideBySide } from '../../packages/clock/side-by-side.ts'
import type { Coding, Parameters, ParametersParameter } from '../../packages/fhir/r4.ts'
import { FhirCaller, type FhirCallerOptions } from '../../packages/fhir-http/fhir-caller.ts'
import type { OutboundResponse } from '../../packages/http/outbound/outbound-response.ts'
import type { CodeNeed, CodeOf, TermAnswer, Terminology } from './terminology.ts'
import type { CallOptions } from '../call-options.ts'
import { safeTargets } from './translation.ts'

/** Any R4 terminology server; the names of R5 are understood in answers. */
export function httpTerminology(options: FhirCallerOptions): Terminology {
  const caller = new FhirCaller(options)
  return {
    // R4 has one call a code, and a message may have thousands. Those that nobody has sent yet have all of their deadline.
    codingsIn: (needs, call = {}) => sideBySide(needs, askedAtOnceMax, (need) => codingsOf(need, caller, call)),
    async lookup({ system, code }, call = {}) {
      const answer = await caller.get(`CodeSystem/$lookup?${queryOf({ system, code })}`, call)
      if (isNotKnown(answer)) return undefined
      const display = textOf(caller.resourceOf<Parameters>(answer, 'Parameters'), 'display')
      return { system, code, ...(display === undefined ? {} : { display }) }
    },
  }
}

/** A quarter of the connections that may be open to a server: other messages have codes, too. */
const askedAtOnceMax = 16

function codingsOf(need: CodeNeed, caller: FhirCaller, call: CallOptions): Promise<TermAnswer> {
  return need.system === need.target ? checked(need, caller, call) : translated(need, caller, call)
}

async function checked(need: CodeNeed, caller: FhirCaller, call: CallOptions): Promise<TermAnswer> {
  const { system, code } = need
  const answer = await caller.get(`CodeSystem/$validate-code?${queryOf({ url: system, code })}`, call)
  // A server that does not know the system has said nothing about the code.
  if (isNotKnown(answer)) return [codingOf(need)]
  const parameters = caller.resourceOf<Parameters>(answer, 'Parameters')
  if (flagOf(parameters, 'result') === true) return [codingOf(need, textOf(parameters, 'display'))]
  return isIgnorance(textOf(parameters, 'message')) ? [codingOf(need)] : 'unmapped'
}

async function translated(need: CodeNeed, caller: FhirCaller, call: CallOptions): Promise<TermAnswer> {
  const { system, code, target } = need
  const answer = await caller.get(`ConceptMap/$translate?${queryOf({ system, code, targetsystem: target })}`, call)
  if (isNotKnown(answer)) return 'unmapped'
  const codings = safeTargets(caller.resourceOf<Parameters>(answer, 'Parameters'), target)
  return codings.length === 0 ? 'unmapped' : codings
}

/** "I do not know" in the ways in which servers say it: not found, not understood, not supported. */
const isNotKnown = ({ status }: OutboundResponse) =>
  status === 400 || status === 404 || status === 405 || status === 422 || status === 501

/** No code of R4 tells "wrong" from "I do not have this system"; servers say the latter in words. */
const isIgnorance = (message: string | undefined) =>
  message !== undefined && /only a part|not known here|unknown code ?system|could not be found|not found/i.test(message)

const codingOf = (
  { system, code, display: given }: CodeOf & { readonly display?: string },
  display = given,
): Coding => ({
  system,
  code,
  ...(display === undefined ? {} : { display }),
})

const queryOf = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

const named = ({ parameter = [] }: Parameters, name: string): ParametersParameter | undefined =>
  parameter.find((one) => one.name === name)
const textOf = (parameters: Parameters, name: string) => named(parameters, name)?.valueString
const flagOf = (parameters: Parameters, name: string) => named(parameters, name)?.valueBoolean
