import { reply } from '../../../packages/http/answer.ts'
import { bytes, nothing } from '../../../packages/http/content.ts'
import { oneOf, optional, text } from '../../../packages/http/fields.ts'
import { headerOf } from '../../../packages/http/request.ts'
import { certificateCodes, leavesOut } from '../certificate/groups.ts'
import { certificatePdf } from '../certificate/pdf.ts'
import type { CertificatePdfModel } from '../certificate/pdf/pdf-model.ts'
import { qrMatrix } from '../certificate/qr-matrix.ts'
import { qrDrawing } from '../certificate/qr-drawing.ts'
import { certifiedVaccines, issueCertificate, type IssuedCertificate } from '../issue-certificate.ts'
import { knownOf } from '../read-model/fhir-parts.ts'
import { toStart, visitor } from '../session/visitor.ts'
import { doubtsInWords } from '../views/dose-words.tsx'
import { languageOf } from '../../../packages/views/words/choose-language.ts'
import { wordsOf, type Words } from '../words/words.ts'
import { appRoute } from './app-route.ts'

export const certificatePdfDownload = appRoute({
  method: 'GET',
  path: '/certificate/pdf',
  who: visitor,
  summary: 'The certificate as a PDF file',
  tags: ['Certificate'],
  input: {
    query: {
      paper: optional(oneOf(['A4', 'LETTER'], { description: 'What the reader’s country uses, unless said.' })),
      lang: text({ max: 20, optional: true }),
    },
  },
  output: { 200: bytes('application/pdf'), 302: nothing },
  run: async ({ caller, query, request }, deps) => {
    if (caller.is !== 'open') return toStart(caller, deps.settings)
    const record = await deps.records.of(caller.session)
    const words = wordsOf(languageOf(request, query.lang, deps.settings))
    // Of a region, `es-CO`: `ca` and `co` alone are languages of Europe.
    const usesLetter = /-(us|ca|mx|co|ph)\b/i.test(headerOf(request, 'accept-language') ?? '')
    const pdf = await issueCertificate(caller.session, record, deps, (certificate) =>
      certificatePdf({
        paper: query.paper ?? (usesLetter ? 'LETTER' : 'A4'),
        ...contentOf(certificate, { today: deps.records.today(), now: deps.clock.now() }, words),
      }),
    )
    return reply(200, pdf, { 'content-disposition': 'attachment; filename="vaccinations.pdf"' })
  },
})

function contentOf(
  certificate: IssuedCertificate,
  { today, now }: { readonly today: string; readonly now: Date },
  words: Words,
): Omit<CertificatePdfModel, 'paper'> {
  const { patient, uvci } = certificate
  const groups = certifiedVaccines(certificate.immunizations)
  const codes = groups.length === 0 ? [] : certificateCodes(certificate)
  return {
    ...{ language: words.language, direction: words.dir, words: pdfWords(words), uvci },
    person: {
      name: patient.name ?? words.text('nameUnknown'),
      birthDate: patient.born === null ? words.text('unknown') : words.day(patient.born),
    },
    doses: groups.flatMap(({ label, doses }) =>
      doses.map((dose) => ({
        vaccine: label,
        date: words.day(knownOf(dose.occurrenceDate, dose.occurrencePrecision)),
        dose: dose.doseNumber ?? '',
        lot: dose.lotNumber ?? '',
        givenBy: [dose.performerDisplay, ...doubtsInWords(dose, { patient, today }, words)]
          .filter((said) => said !== null)
          .join(' · '),
      })),
    ),
    codes: codes.map((code) => ({
      drawing: qrDrawing(qrMatrix(code.text)),
      caption:
        code.of === 1
          ? ''
          : `${words.text('codeOf', { number: code.number, of: code.of })}: ${code.vaccineNames.join(', ')}`,
    })),
    isShort: leavesOut(codes, groups),
    issuedAt: now,
    issued: words.day(today),
  }
}

const pdfWords = ({ text: say }: Words) => ({
  title: say('certificateTitle'),
  name: say('nameLabel'),
  birthDate: say('born'),
  vaccine: say('vaccine'),
  date: say('date'),
  dose: say('doseHeading'),
  lot: say('lot'),
  givenBy: say('givenBy'),
  issued: say('generatedOn'),
  certificateId: say('certificateId'),
  noDoses: say('nothingToCertifyTitle'),
  lettersMissing: say('pdfLettersMissing'),
  codesLeaveOut: say('codesLeaveOut'),
  about: say('unsignedNote'),
  page: (number: number, of: number) => say('pageOf', { number, of }),
})
