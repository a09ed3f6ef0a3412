/** The code of a system error (`ENOENT`) or of PostgreSQL (`28P01`), if it is one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
