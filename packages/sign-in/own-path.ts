/** Only a path of the same service: nobody is sent elsewhere after signing in. As a header can carry it. */
export function ownPath(path: string): string {
  const written = path.toWellFormed().replaceAll(/[^\u0000-\u001f\u0021-\u007e]+/g, encodeURIComponent)
  return /^\/(?!\/)[\u0021-\u005b\u005d-\u007e]*$/.test(written) ? written : '/'
}
