/**
 * The encoding of a text file by its byte order mark: UTF-8 unless it has the mark of UTF-16, as files of Windows have.
 * @param start the first two bytes or more
 */
export function detectEncoding(start: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = start
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
}
