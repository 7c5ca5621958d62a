/**
 * The length of a body as announced, in bytes; null without one. A length that was sent several times arrives as a list of equal numbers: the
 * engine rejects all others.
 */
export function readContentLength({ headers }: Pick<Request, 'headers'>): number | null {
  const [length] = headers.get('content-length')?.split(',') ?? []
  return length === undefined ? null : Number(length)
}
