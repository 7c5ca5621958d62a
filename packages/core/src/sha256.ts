/**
 * The SHA-256 of some bytes, or of the UTF-8 of a text, in hex. Imported as `@reeve/core/sha256`, so that the portal,
 * which imports `@reeve/core`, never bundles it.
 */
export const sha256Hex = (data: string | Uint8Array): string => Bun.CryptoHasher.hash('sha256', data, 'hex')
