import { text } from '../../../packages/http/fields.ts'
import { certificatePayload, payloadText, type CertificateInput } from '../certificate/payload.ts'
import { qrPng, qrSizeDefault } from '../certificate/qr-png.ts'
import { issueCertificate } from '../issue-certificate.ts'
import { smartSession } from '../session/visitor.ts'
import { appRoute } from './app-route.ts'
import { QrView } from './fields.ts'

export const certificateQr = appRoute({
  method: 'GET',
  path: '/api/certificate/qr',
  who: smartSession,
  summary: 'The QR code of the certificate as a picture',
  tags: ['Certificate'],
  input: {
    query: {
      size: text({ max: 20, optional: true, description: 'Pixels of a side, 50 to 2000; 300 unless said.' }),
      vaccineCode: text({ max: 200, optional: true, description: 'Only the doses of this vaccine.' }),
    },
  },
  output: { 200: QrView },
  run: async ({ caller, query }, deps) => {
    const size = sizeOf(query.size)
    const draw = (certificate: CertificateInput) => qrPng(payloadText(certificatePayload(certificate)), { size })
    const png = await issueCertificate(caller, await deps.records.of(caller), deps, draw, query.vaccineCode)
    return { qrBase64: png.toString('base64'), format: 'PNG' } as const
  },
})

/** What is no whole number is left to the drawing, which says what a size must be. */
function sizeOf(given: string | undefined): number {
  if (given === undefined || given === '') return qrSizeDefault
  return /^\d+$/.test(given) ? Number(given) : Number.NaN
}
