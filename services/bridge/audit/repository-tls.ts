import { loadAuthorities, loadShownTls, tlsPair, type ShownTlsDeps, type TlsFiles } from '../../../packages/keys/tls.ts'
import type { SyslogRepositoryOptions } from '../../../ports/audit-repository/syslog-audit-repository.ts'
import type { AuditSection } from './section.ts'

type Trust = Pick<SyslogRepositoryOptions['repository'], 'ca' | 'cert' | 'key'>
type Section = Pick<AuditSection, 'repositoryHost' | 'repositoryCaFile' | 'certificateFile' | 'keyFile'>

/** Whom we trust as the repository, and what we show to it. */
export async function repositoryTls(section: Section, deps: ShownTlsDeps): Promise<Trust> {
  const ca = await repositoryAuthorities(section)
  const trust = ca === undefined ? {} : { ca }
  const files = repositoryTlsFiles(section)
  if (files === undefined) return trust
  const { cert, key } = await loadShownTls('bridge.audit.certificateFile', files, deps)
  return { ...trust, cert, key }
}

/** Without a repository nobody reads the files that are for it. */
export async function repositoryAuthorities(section: Section): Promise<string | undefined> {
  const { repositoryHost, repositoryCaFile } = section
  if (repositoryHost === undefined || repositoryCaFile === undefined) return undefined
  return loadAuthorities(repositoryCaFile, 'CA of bridge.audit.repositoryCaFile')
}

export const repositoryTlsFiles = (section: Section): TlsFiles | undefined =>
  section.repositoryHost === undefined ? undefined : tlsPair(section, 'bridge.audit')
