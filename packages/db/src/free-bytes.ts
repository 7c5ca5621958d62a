/** Garbage collection is soon enough for smaller ones, and some share a buffer. */
const MIN_FREED_BYTES = 64 * 1024

/**
 * Frees the memory of large bytes that nothing uses any more. Garbage collection would let it grow to several times what is in
 * use. The bytes are empty afterwards. Does nothing to a part of a buffer, whose other parts may be in use.
 */
export function freeBytes({ buffer, byteLength }: Uint8Array): void {
  if (byteLength < MIN_FREED_BYTES || byteLength !== buffer.byteLength) return
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
