import { expect, it } from 'vitest'
import { variableOf } from '../../../packages/config/schema.ts'
import { corridorConfiguration } from '../load-configuration.ts'
import { serviceNames } from '../service-names.ts'
import { sectionFaults } from './sections.ts'

const faults = (environment: Record<string, string>) =>
  sectionFaults(corridorConfiguration({ demo: true, environment }).configuration, serviceNames)

const faultsWith = (path?: string, value = '') => faults(path === undefined ? {} : { [variableOf(path)]: value })

it('finds nothing wrong with what is there without any settings', async () => {
  expect(await faultsWith()).toEqual([])
})

it.each([
  ['bridge.channels.adt.senderCertificates', 'lab', 'must be written as name=CODE'],
  ['bridge.outbound.mllpCaFile', '/none.pem', 'The CA of bridge.outbound.mllpCaFile /none.pem cannot be read'],
  [
    'referral.facilities',
    '[{"clientId":"a","webhookUrl":"https://a.example"}]',
    'a has a webhookUrl and no webhookSecret',
  ],
  ['auth.clients', '[{"clientId":"app"}]', 'The client app cannot be registered: redirectUris is needed'],
  ['auth.clients', '[{"clientId":"app","clientSecretFile":"/none"}]', 'the file /none with its secret cannot be read'],
  [
    'auth.users',
    '[{"username":"ada","fhirUser":"Practitioner/ada","roles":["CLINICIAN"]}]',
    'The user ada cannot be registered: passwordHash or passwordFile is needed.',
  ],
])('says what a start would refuse of %s: %s', async (path, value, says) => {
  expect(await faultsWith(path, value)).toEqual([expect.stringContaining(says)])
})

it('says of the audit repository what a start would refuse, where there is one', async () => {
  const own = { CORRIDOR_BRIDGE_AUDIT_REPOSITORY_CA_FILE: '/none.pem' }
  expect(await faults(own)).toEqual([])
  expect(await faults({ ...own, CORRIDOR_BRIDGE_AUDIT_REPOSITORY_HOST: 'audit.example' })).toEqual([
    expect.stringContaining('The CA of bridge.audit.repositoryCaFile /none.pem cannot be read'),
  ])
})
