import { reply } from '../../../packages/http/answer.ts'
import { bytes } from '../../../packages/http/content.ts'
import { Type } from 'typebox'
import { list, object } from '../../../packages/http/fields.ts'
import { anyone } from '../../../packages/http/who.ts'
import { isValidDose } from '../certificate/certified-dose.ts'
import { healthCard, healthCardFile, healthCardFileName, healthCardFileType } from '../certificate/health-card.ts'
import { signedEnvelope } from '../certificate/signed-envelope.ts'
import { issueCertificate } from '../issue-certificate.ts'
import { smartSession } from '../session/visitor.ts'
import { appRoute } from './app-route.ts'

const download = (name: string) => ({ 'content-disposition': `attachment; filename="${name}"` })

export const healthCardDownload = appRoute({
  method: 'GET',
  path: '/certificate/health-card',
  who: smartSession,
  summary: 'The vaccinations as a signed SMART Health Card',
  tags: ['Certificate'],
  output: { 200: bytes(healthCardFileType) },
  run: async ({ caller }, { records, settings, certificateKeys, clock }) => {
    const { patient, vaccinations } = await records.of(caller)
    const card = await healthCard({
      ...{ patient, immunizations: vaccinations.filter(isValidDose), issuer: settings.url, issuedAt: clock.now() },
      key: await certificateKeys.current(),
    })
    return reply(200, Buffer.from(healthCardFile([card])), download(healthCardFileName))
  },
})

export const signedCertificate = appRoute({
  method: 'GET',
  path: '/api/certificate/signed',
  who: smartSession,
  summary: 'The certificate as a signed VDS-NC envelope',
  tags: ['Certificate'],
  output: { 200: bytes('application/json') },
  run: async ({ caller }, deps) => {
    const record = await deps.records.of(caller)
    const { patient } = record
    const sex = patient.sex === 'male' || patient.sex === 'female' ? patient.sex : null
    const envelope = await signedEnvelope({
      ...(await issueCertificate(caller, record, deps)),
      patient: { ...patient, sex },
      country: deps.settings.certificateCountry,
      key: await deps.certificateKeys.current(),
    })
    return reply(200, Buffer.from(JSON.stringify(envelope)))
  },
})

export const certificateKeySet = appRoute({
  method: 'GET',
  path: '/.well-known/jwks.json',
  who: anyone,
  summary: 'The public keys that health cards and signed certificates are checked with',
  tags: ['Certificate'],
  cors: 'anyone',
  cache: 'public, max-age=300',
  output: {
    200: object({
      keys: list(
        object({
          kty: Type.String(),
          crv: Type.String(),
          x: Type.String(),
          y: Type.String(),
          kid: Type.String(),
          use: Type.String(),
          alg: Type.String(),
        }),
      ),
    }),
  },
  run: (_input, { certificateKeys }) => certificateKeys.publicKeys(),
})
