import { unreachable } from '../../packages/faults/fault.ts'
import { secretCharactersMin } from '../../services/auth/registration/client-secret.ts'
import type { Configuration } from './configuration.ts'
import type { ServiceName } from './service-names.ts'

/**
 * A sentence for each secret of these services that could be guessed; that of the demo is one of them. What is not set is
 * no secret, and what others give us (the password of the database, headers for gateways) is as long as they make it.
 */
export function weakSecrets(configuration: Configuration, running: readonly ServiceName[]): string[] {
  return running.flatMap((name) =>
    secretsOf(name, configuration)
      .filter(({ secret = '' }) => secret !== '' && secret.length < secretCharactersMin)
      .map(
        ({ path, advice }) => `${path} can be guessed: ${secretCharactersMin} characters of chance or more. ${advice}`,
      ),
  )
}

interface SecretSetting {
  readonly path: string
  readonly secret: string | undefined
  readonly advice: string
}

function secretsOf(name: ServiceName, configuration: Configuration): SecretSetting[] {
  switch (name) {
    case 'bridge':
    case 'consent':
      return [accountOf(name, configuration)]
    case 'referral':
      return [accountOf(name, configuration), ...webhooksOf(configuration.referral)]
    case 'immunization':
      return [certificateKeys(configuration.immunization)]
    // What they hold stands in records of their own, which are looked at when they are registered.
    case 'auth':
    case 'fhir':
      return []
    default:
      return unreachable(name)
  }
}

function accountOf(name: 'bridge' | 'consent' | 'referral', configuration: Configuration): SecretSetting {
  const { clientId, clientSecret } = configuration[name]
  return {
    ...{ path: `${name}.clientSecret`, secret: clientSecret },
    advice: `\`corridor clients secret ${clientId}\` makes one; where auth.clients declares it, \`openssl rand -hex 32\`.`,
  }
}

const webhooksOf = ({ facilities }: Configuration['referral']): SecretSetting[] =>
  facilities.map(({ clientId, webhookSecret }) => ({
    path: `referral.facilities: the webhookSecret of ${clientId}`,
    secret: webhookSecret,
    advice: `${makesOne} The facility needs the same one.`,
  }))

const certificateKeys = ({ certificateKeySecret }: Configuration['immunization']): SecretSetting => ({
  path: 'immunization.certificateKeySecret',
  secret: certificateKeySecret,
  advice: `${makesOne} Where keys are sealed with the old one already, \`corridor certificate-keys rotate --immediately\` then makes a new key.`,
})

const makesOne = '`openssl rand -hex 32` makes one.'
