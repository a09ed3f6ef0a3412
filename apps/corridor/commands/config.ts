import { printConfiguration } from '../../../packages/config/print.ts'
import { configurationReference } from '../../../packages/config/reference.ts'
import { configurationSchema } from '../configuration.ts'
import { corridorConfiguration, type ConfigurationChoice } from '../load-configuration.ts'
import type { Terminal } from '../terminal.ts'

/** Prints the effective configuration, secrets that are set as `***`; or the reference of every key. */
export function config(choice: ConfigurationChoice & { readonly reference?: boolean }, terminal: Terminal): number {
  if (choice.reference === true) terminal.out(`${configurationReference(configurationSchema)}\n`)
  else terminal.out(printConfiguration(configurationSchema, corridorConfiguration(choice)))
  return 0
}
