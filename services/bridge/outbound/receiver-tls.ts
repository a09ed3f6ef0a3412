import { incorrect } from '../../../packages/faults/fault.ts'
import type { ClientTls } from '../../../packages/hl7/index.ts'
import { loadAuthorities, loadShownTls, type ShownTlsDeps } from '../../../packages/keys/tls.ts'
import type { OutboundSection } from './section.ts'

/** Whom we trust as receivers over `mllps`, and what we show to those who ask for a certificate. */
export async function receiverTls(
  section: Pick<OutboundSection, 'mllpCaFile' | 'mllpCertificateFile' | 'mllpKeyFile'>,
  deps: ShownTlsDeps,
): Promise<ClientTls> {
  const { mllpCaFile, mllpCertificateFile: certificateFile, mllpKeyFile: keyFile } = section
  const trust =
    mllpCaFile === undefined ? {} : { ca: await loadAuthorities(mllpCaFile, 'CA of bridge.outbound.mllpCaFile') }
  if (certificateFile === undefined && keyFile === undefined) return trust
  if (certificateFile === undefined || keyFile === undefined) {
    throw incorrect(
      'bridge.outbound.mllpCertificateFile and bridge.outbound.mllpKeyFile go together. Name both, or none.',
      {
        code: 'TLS_FILES',
      },
    )
  }
  const { cert, key } = await loadShownTls('bridge.outbound.mllpCertificateFile', { certificateFile, keyFile }, deps)
  return { ...trust, cert, key }
}
