import { nearest } from '../../packages/config/nearest.ts'
import { incorrect } from '../../packages/faults/fault.ts'
import { serviceNames, type ServiceName } from './service-names.ts'

/** The services that somebody named on the command line. */
export function namedServices(words: readonly string[]): ServiceName[] {
  return words.map((word) => {
    const known = serviceNames.find((name) => name === word)
    if (known !== undefined) return known
    const near = nearest(word, serviceNames)
    throw incorrect(
      `${word} is not a service of Corridor. ${near === undefined ? '' : `Did you mean ${near}? `}The services are ${serviceNames.join(', ')}.`,
    )
  })
}
