import { reply } from '../../../packages/http/answer.ts'
import { bytes } from '../../../packages/http/content.ts'
import { text } from '../../../packages/http/fields.ts'
import { hasUndated, isValidDose } from '../certificate/certified-dose.ts'
import {
  healthCard,
  healthCardCodes,
  healthCardFile,
  healthCardFileName,
  healthCardFileType,
  type HealthCardInput,
} from '../certificate/health-card.ts'
import { qrDrawing } from '../certificate/qr-drawing.ts'
import { isIdentified, vouchedFor } from '../certificate/signable.ts'
import { signedEnvelope } from '../certificate/signed-envelope.ts'
import type { ImmunizationDeps } from '../deps.ts'
import { issueCertificate } from '../issue-certificate.ts'
import type { PatientRecord } from '../read-model/patient-record.ts'
import { smartSession, visitor } from '../session/visitor.ts'
import { HealthCardPage, type HealthCardModel } from '../views/health-card-page.tsx'
import { appPage, pageOutput } from './app-page.tsx'
import { appRoute } from './app-route.ts'

export const healthCardPage = appRoute({
  method: 'GET',
  path: '/certificate/health-card',
  who: visitor,
  summary: 'The signed health card as codes to scan',
  tags: ['Pages'],
  input: { query: { lang: text({ max: 20, optional: true }) } },
  output: pageOutput,
  run: (input, deps) =>
    appPage(input, deps, async ({ frame, record }) => {
      const card = await cardOf(record, deps)
      const doses = record.vaccinations.filter(isValidDose).length
      const lacks = whatLacks(doses, card)
      const codes = lacks === undefined ? await healthCardCodes(card) : []
      return (
        <HealthCardPage
          frame={frame}
          lacks={lacks}
          leftOut={doses - card.immunizations.length}
          leavesOutUndated={hasUndated(record.vaccinations)}
          isShort={codes.reduce((sum, code) => sum + code.doses, 0) < card.immunizations.length}
          codes={codes.map(({ matrix, ...code }) => ({ ...code, drawing: qrDrawing(matrix) }))}
        />
      )
    }),
})

export const healthCardDownload = appRoute({
  method: 'GET',
  path: '/certificate/health-card/file',
  who: smartSession,
  summary: 'The vaccinations as a signed SMART Health Card',
  tags: ['Certificate'],
  output: { 200: bytes(healthCardFileType) },
  run: async ({ caller }, deps) => {
    const card = await healthCard(await cardOf(await deps.records.of(caller), deps))
    const headers = { 'content-disposition': `attachment; filename="${healthCardFileName}"` }
    return reply(200, Buffer.from(healthCardFile([card])), headers)
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
    const key = await deps.certificateKeys.current()
    const envelope = await issueCertificate(caller, record, deps, ({ immunizations, uvci }) =>
      signedEnvelope({
        ...{ patient: { ...patient, sex }, immunizations, uvci, key },
        ...{ today: deps.records.today(), country: deps.settings.certificateCountry },
      }),
    )
    return reply(200, Buffer.from(JSON.stringify(envelope)))
  },
})

function whatLacks(doses: number, { patient, immunizations }: HealthCardInput): HealthCardModel['lacks'] {
  if (doses === 0) return 'doses'
  if (!isIdentified(patient)) return 'identity'
  return immunizations.length === 0 ? 'signableDoses' : undefined
}

async function cardOf(
  { patient, vaccinations }: PatientRecord,
  { settings, certificateKeys, clock, records }: ImmunizationDeps,
): Promise<HealthCardInput> {
  const looking = { patient, today: records.today() }
  return {
    ...looking,
    immunizations: vouchedFor(vaccinations, looking),
    issuer: settings.url,
    issuedAt: clock.now(),
    key: await certificateKeys.current(),
  }
}
