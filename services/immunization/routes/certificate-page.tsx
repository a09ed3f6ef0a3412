import { text } from '../../../packages/http/fields.ts'
import { hasUndated } from '../certificate/certified-dose.ts'
import { certificateCodes, leavesOut, type CertificateCode } from '../certificate/groups.ts'
import { qrMatrix } from '../certificate/qr-matrix.ts'
import { qrDrawing } from '../certificate/qr-drawing.ts'
import { certifiedVaccines, issueCertificate } from '../issue-certificate.ts'
import { visitor } from '../session/visitor.ts'
import { CertificatePage } from '../views/certificate-page.tsx'
import { appPage, pageOutput } from './app-page.tsx'
import { appRoute } from './app-route.ts'

/** More are drawn by the PDF alone: each takes up to 7 ms and 116 KB, and nobody holds a hundred before a scanner. */
const codesShownMax = 24

const drawn = (code: CertificateCode) => ({ ...code, content: code.text, drawing: qrDrawing(qrMatrix(code.text)) })

export const certificatePage = appRoute({
  method: 'GET',
  path: '/certificate',
  who: visitor,
  summary: 'The certificate to print and take along',
  tags: ['Pages'],
  input: { query: { lang: text({ max: 20, optional: true }) } },
  output: pageOutput,
  run: (input, deps) =>
    appPage(input, deps, ({ frame, record, session, today }) => {
      const groups = certifiedVaccines(record.vaccinations)
      // Where nothing is certified, the page says itself that it takes a date.
      const leavesOutUndated = groups.length > 0 && hasUndated(record.vaccinations)
      const common = { frame, patient: record.patient, generatedOn: today, leavesOutUndated }
      // What certifies nothing has no id.
      if (groups.length === 0) {
        return <CertificatePage {...common} groups={[]} codes={[]} codeCount={0} isShort={false} uvci="" />
      }
      return issueCertificate(session, record, deps, (certificate) => {
        const codes = certificateCodes(certificate)
        return (
          <CertificatePage
            {...common}
            groups={groups}
            codes={codes.slice(0, codesShownMax).map(drawn)}
            codeCount={codes.length}
            isShort={leavesOut(codes, groups)}
            uvci={certificate.uvci}
          />
        )
      })
    }),
})
