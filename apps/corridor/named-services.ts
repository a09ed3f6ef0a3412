import { nearest } from '../../packages/config/nearest.ts'
import { incorrect } from '../../packages/faults/fault.ts'
import type { ConfigurationChoice } from './load-configuration.ts'
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

/** What is read of the configuration for these: each by itself need not see the secrets of the others. All for none. */
export const choiceFor = (named: readonly ServiceName[], choice: ConfigurationChoice): ConfigurationChoice =>
  named.length === 0 ? choice : { ...choice, secretsOf: ['database', ...named] }
