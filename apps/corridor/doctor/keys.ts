import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Clock } from '../../../packages/clock/clock.ts'
import { faultOf } from '../../../packages/faults/fault.ts'
import { foreignFiles, readKeys } from '../../../packages/keys/key-files.ts'
import { checkSealingKey } from '../../../packages/keys/sealer.ts'
import { loadTls, tlsPair, type TlsFiles } from '../../../packages/keys/tls.ts'
import { repositoryTlsFiles } from '../../../services/bridge/audit/repository-tls.ts'
import { tlsFilesOf } from '../../../services/bridge/configured.ts'
import { receiverTlsFiles } from '../../../services/bridge/outbound/receiver-tls.ts'
import { channelIds } from '../../../services/bridge/pipeline/channel.ts'
import type { Configuration } from '../configuration.ts'
import type { CheckDeps } from './check-deps.ts'
import { bad, good, warning, type Finding } from './finding.ts'
import { isWritableFolder, nearestExisting } from './nearest-existing.ts'

/** The signing keys can be read and are nobody else's; certificates fit their keys and have time left. */
export async function checkKeys(configuration: Configuration, deps: CheckDeps): Promise<Finding[]> {
  const signing = deps.running.includes('auth') ? [await checkSigningKeys(configuration.auth.keyDirectory)] : []
  return [...signing, ...(await checkCertificates(configuration, deps))]
}

async function checkSigningKeys(directory: string): Promise<Finding> {
  const state = await stat(directory).catch(() => undefined)
  if (state === undefined) return noneYet(directory)
  try {
    const keys = await readKeys(directory)
    await checkSealingKey(directory)
    const foreign = await foreignFiles(directory)
    if (foreign.length > 0) return madeByAnother(directory, foreign)
    return good('Signing keys', `${keys.length} in ${directory}`)
  } catch (thrown) {
    return bad('Signing keys', faultOf(thrown).shown, 'The sentence above says what to do.')
  }
}

async function noneYet(directory: string): Promise<Finding> {
  const place = await nearestExisting(resolve(directory))
  if (await isWritableFolder(place)) return good('Signing keys', `none yet in ${directory}; the first start makes one`)
  return bad(
    'Signing keys',
    `none yet in ${directory}, and ${place} cannot be written`,
    'Make the folder for the user Corridor runs as, or name another in auth.keyDirectory.',
  )
}

/** Root reads everything and would find nothing wrong with what the service cannot read. */
const madeByAnother = (directory: string, names: readonly string[]): Finding =>
  bad(
    'Signing keys',
    `${names.join(', ')} in ${directory} belongs to another user than the directory`,
    `Run "chown --reference=${directory}" on it: a service that runs as the owner of the directory cannot read it.`,
  )

const soonMs = 21 * 86_400_000

async function checkCertificates(configuration: Configuration, { clock, running }: CheckDeps): Promise<Finding[]> {
  const { outbound, audit } = configuration.bridge
  const ofBridge = [
    ...channelIds.map((id) => ({ name: `bridge.channels.${id}`, files: () => tlsFilesOf(id, configuration.bridge) })),
    { name: 'bridge.outbound', files: () => receiverTlsFiles(outbound) },
    { name: 'bridge.audit', files: () => repositoryTlsFiles(audit) },
  ]
  const shown = [
    ...running.map((name) => ({ name, files: () => tlsPair(configuration[name].tls, `${name}.tls`) })),
    ...(running.includes('bridge') ? ofBridge : []),
  ]
  return (await Promise.all(shown.map((one) => checkCertificate(one, clock)))).flat()
}

/** Who shows a certificate to others. */
interface Shown {
  readonly name: string
  /** As its start reads them. */
  readonly files: () => TlsFiles | undefined
}

async function checkCertificate({ name, files }: Shown, clock: Clock): Promise<Finding[]> {
  const check = `Certificate of ${name}`
  try {
    const named = files()
    if (named === undefined) return []
    const { expiresAt } = await loadTls(named, { clock })
    const says = `good until ${expiresAt.toISOString().slice(0, 10)}`
    const isSoon = expiresAt.getTime() - clock.now().getTime() < soonMs
    return [
      isSoon ? warning(check, says, 'Renew it now; nothing starts with an expired certificate.') : good(check, says),
    ]
  } catch (thrown) {
    return [bad(check, faultOf(thrown).shown, 'The sentence above says what to do.')]
  }
}
