import { Renewed } from '../../../packages/keys/renewed.ts'
import { loadAuthorities, loadShownTls, tlsPair, type ShownTlsDeps, type TlsFiles } from '../../../packages/keys/tls.ts'
import type { RepositoryTls } from '../../../ports/audit-repository/syslog-audit-repository.ts'
import type { AuditSection } from './section.ts'

type Section = Pick<AuditSection, 'repositoryHost' | 'repositoryCaFile' | 'certificateFile' | 'keyFile'>

/** Whom we trust as the repository, and what we show to it, as the files have it now. */
export function repositoryTls(section: Section, deps: ShownTlsDeps): Promise<Renewed<RepositoryTls>> {
  const hasFiles = (section.repositoryCaFile ?? section.certificateFile) !== undefined
  const setting = 'bridge.audit.certificateFile'
  return Renewed.open({ setting, hasFiles, load: () => loadRepositoryTls(section, deps) }, deps)
}

async function loadRepositoryTls(section: Section, deps: ShownTlsDeps): Promise<RepositoryTls> {
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
