/** A hash of 32 bits (FNV-1a), to recognize the same text. Different texts can have the same hash, also on purpose. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}
