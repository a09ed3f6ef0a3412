import { incorrect } from '../../../packages/faults/fault.ts'
import type { ClientTls } from '../../../packages/hl7/index.ts'
import { Renewed } from '../../../packages/keys/renewed.ts'
import { loadAuthorities, loadShownTls, type ShownTlsDeps, type TlsFiles } from '../../../packages/keys/tls.ts'
import type { OutboundSection } from './section.ts'

type Section = Pick<OutboundSection, 'mllpCaFile' | 'mllpCertificateFile' | 'mllpKeyFile'>

/** Whom we trust as receivers over `mllps`, and what we show to those who ask for a certificate, as the files have it now. */
export function receiverTls(section: Section, deps: ShownTlsDeps): Promise<Renewed<ClientTls>> {
  const hasFiles = (section.mllpCaFile ?? section.mllpCertificateFile) !== undefined
  const setting = 'bridge.outbound.mllpCertificateFile'
  return Renewed.open({ setting, hasFiles, load: () => loadReceiverTls(section, deps) }, deps)
}

async function loadReceiverTls(section: Section, deps: ShownTlsDeps): Promise<ClientTls> {
  const ca = await receiverAuthorities(section)
  const trust = ca === undefined ? {} : { ca }
  const files = receiverTlsFiles(section)
  if (files === undefined) return trust
  const { cert, key } = await loadShownTls('bridge.outbound.mllpCertificateFile', files, deps)
  return { ...trust, cert, key }
}

export async function receiverAuthorities({ mllpCaFile }: Section): Promise<string | undefined> {
  return mllpCaFile === undefined ? undefined : loadAuthorities(mllpCaFile, 'CA of bridge.outbound.mllpCaFile')
}

/** What we show; undefined where that is nothing. */
export function receiverTlsFiles(section: Section): TlsFiles | undefined {
  const { mllpCertificateFile: certificateFile, mllpKeyFile: keyFile } = section
  if (certificateFile === undefined && keyFile === undefined) return undefined
  if (certificateFile !== undefined && keyFile !== undefined) return { certificateFile, keyFile }
  throw incorrect(
    'bridge.outbound.mllpCertificateFile and bridge.outbound.mllpKeyFile go together. Name both, or none.',
    { code: 'TLS_FILES' },
  )
}
