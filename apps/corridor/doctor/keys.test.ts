import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { variableOf } from '../../../packages/config/schema.ts'
import { makeCertificate } from '../../../packages/keys/certificate.ts'
import { ownPlace } from '../../../packages/testkit/corridor-command.ts'
import { corridorConfiguration } from '../load-configuration.ts'
import { serviceNames } from '../service-names.ts'
import { checkKeys } from './keys.ts'

const yearMs = 365 * 86_400_000

it.each([
  ['auth.tls', 'auth'],
  ['bridge.channels.oru.tls', 'bridge.channels.oru'],
])('the certificate of %s is looked at as its start does', async (path, name) => {
  await using place = await ownPlace()
  const { certificateFile, keyFile } = await writeCertificate(place.folder)
  const found = async (files: Readonly<Record<string, string>>, clock = systemClock) => {
    const named = Object.entries(files).map(([file, at]) => [variableOf(`${path}.${file}`), at])
    const environment = { ...place.environment, ...(Object.fromEntries(named) as Record<string, string>) }
    const { configuration } = corridorConfiguration({ demo: true, environment })
    return (await checkKeys(configuration, { clock, running: serviceNames })).filter(
      ({ check }) => check === `Certificate of ${name}`,
    )
  }
  const later = { ...systemClock, now: () => new Date(Date.now() + 100 * yearMs) }
  const bad = (says: string) => [
    expect.objectContaining({ state: 'bad', says: expect.stringContaining(says) as string }),
  ]
  expect(await found({})).toEqual([])
  expect(await found({ certificateFile, keyFile })).toMatchObject([
    { says: expect.stringMatching(/^good until/) as string },
  ])
  expect(await found({ certificateFile, keyFile }, later)).toEqual(bad('expired at'))
  expect(await found({ certificateFile })).toEqual(bad(`${path}.certificateFile is set and ${path}.keyFile is not`))
  expect(await found({ keyFile })).toEqual(bad(`${path}.keyFile is set and ${path}.certificateFile is not`))
})

it.each([
  ['bridge.audit', { certificateFile: 'bridge.audit.certificateFile', keyFile: 'bridge.audit.keyFile' }],
  [
    'bridge.outbound',
    { certificateFile: 'bridge.outbound.mllpCertificateFile', keyFile: 'bridge.outbound.mllpKeyFile' },
  ],
])('so is what is shown by %s to those whom we call', async (name, keys) => {
  await using place = await ownPlace()
  const { certificateFile, keyFile } = await writeCertificate(place.folder)
  const found = async (own: Readonly<Record<string, string>>) => {
    const environment = { ...place.environment, CORRIDOR_BRIDGE_AUDIT_REPOSITORY_HOST: 'audit.example', ...own }
    const { configuration } = corridorConfiguration({ demo: true, environment })
    return (await checkKeys(configuration, { clock: systemClock, running: serviceNames })).filter(
      ({ check }) => check === `Certificate of ${name}`,
    )
  }
  const [certificate, itsKey] = [variableOf(keys.certificateFile), variableOf(keys.keyFile)]
  expect(await found({})).toEqual([])
  expect(await found({ [certificate]: certificateFile, [itsKey]: keyFile })).toMatchObject([{ state: 'good' }])
  expect(await found({ [certificate]: certificateFile })).toMatchObject([{ state: 'bad' }])
  expect(await found({ [certificate]: keyFile, [itsKey]: keyFile })).toMatchObject([
    { state: 'bad', says: expect.stringContaining('is not a certificate in PEM form') as string },
  ])
})

it('a key directory that cannot be made is not one that the first start makes', async () => {
  await using place = await ownPlace()
  const found = async (directory: string) => {
    const environment = { ...place.environment, CORRIDOR_AUTH_KEY_DIRECTORY: directory }
    const [signing] = await checkKeys(corridorConfiguration({ demo: true, environment }).configuration, {
      clock: systemClock,
      running: serviceNames,
    })
    return signing
  }
  const file = join(place.folder, 'file')
  await writeFile(file, '')
  expect(await found(join(place.folder, 'a', 'b'))).toMatchObject({ state: 'good' })
  expect(await found(join(file, 'keys'))).toMatchObject({
    ...{ state: 'bad', says: `none yet in ${join(file, 'keys')}, and ${file} cannot be written` },
  })
})

async function writeCertificate(folder: string) {
  const { cert, key } = await makeCertificate({ name: 'localhost' })
  const files = { certificateFile: join(folder, 'own.crt'), keyFile: join(folder, 'own.key') }
  await writeFile(files.certificateFile, cert)
  await writeFile(files.keyFile, key)
  return files
}
