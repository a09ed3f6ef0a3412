import { styleDocument } from '../discovery/style-document.ts'

/** What an app is told with its token about where it was launched, beside patient and encounter. */
export function launchContext(
  { patient, organisation }: { readonly patient: unknown; readonly organisation: unknown },
  { issuer }: { readonly issuer: string },
) {
  return {
    // The portal hands the whole window over, so whoever gets a patient must show whose record it is.
    need_patient_banner: typeof patient === 'string',
    smart_style_url: styleDocument.addressUnder(issuer),
    ...(typeof organisation === 'string' ? { tenant: organisation.slice(organisation.indexOf('/') + 1) } : {}),
  }
}
