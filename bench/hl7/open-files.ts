/** How many files and sockets this process may have open. Node has raised the limit as far as the system lets it. */
export function openFilesMax(): number {
  // Sound: the report has this section on every POSIX system; what it lacks elsewhere limits nothing.
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: number | string } } }
  const soft = userLimits?.open_files?.soft
  return typeof soft === 'number' ? soft : Number.POSITIVE_INFINITY
}
