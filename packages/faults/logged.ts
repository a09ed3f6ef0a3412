import type { Fault } from './fault.ts'

/** What a log says of a fault that a caller met; of a bug also where it happened. */
export const loggedFault = (fault: Fault) => ({
  faultKind: fault.kind,
  ...(fault.code === undefined ? {} : { faultCode: fault.code }),
  ...(fault.logged === undefined ? {} : { error: fault.logged }),
  ...(fault.kind === 'bug' ? whereOf(fault) : {}),
})

/** The message of an error that is not ours is left out: a database's or a parser's quotes the values it was given. */
function whereOf(fault: Fault): { error: string; stack: string } {
  const origin = fault.cause instanceof Error ? fault.cause : fault
  const frames = (origin.stack ?? '').split('\n').filter((line) => line.trimStart().startsWith('at '))
  return { error: fault.cause === undefined ? fault.message : origin.name, stack: frames.join('\n') }
}
