import { loadConfiguration } from '../../packages/config/load.ts'
import { configurationSchema, type LoadedConfiguration } from './configuration.ts'
import { refuseContradictions } from './contradictions.ts'

export interface ConfigurationChoice {
  /** From `--config`; the variable CORRIDOR_CONFIG otherwise. */
  readonly file?: string | undefined
  /** Demo mode unless the file or the environment names a mode. */
  readonly demo?: boolean | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /**
   * The groups whose secrets are read from files of their own; all unless said. Who adds the account of the bridge has no
   * file of its secret yet, and a service by itself should not have to see those of the others.
   */
  readonly secretsOf?: readonly (keyof typeof configurationSchema)[]
}

export function corridorConfiguration(chosen: ConfigurationChoice): LoadedConfiguration {
  const { file, demo, environment, secretsOf } = chosen
  const loaded = loadConfiguration(configurationSchema, {
    // A variable that is empty is one that is not set.
    file: file ?? (environment['CORRIDOR_CONFIG'] || undefined),
    environment,
    isIgnored,
    ...(secretsOf === undefined
      ? {}
      : { needsSecret: (key) => secretsOf.some((group) => key.startsWith(`${group}.`)) }),
    ...(demo === true ? { defaults: { mode: 'demo' } } : {}),
  })
  refuseContradictions(loaded)
  return loaded
}

/** Variables of the launcher and the tests that are no configuration keys. */
const isIgnored = (variable: string) =>
  variable.startsWith('CORRIDOR_TEST_') ||
  ['CORRIDOR_CONFIG', 'CORRIDOR_BROWSER', 'CORRIDOR_SCREENSHOTS'].includes(variable)
