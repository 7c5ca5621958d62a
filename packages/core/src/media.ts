/** The kinds of image that are kept and served: file extension → media type. */
export const mediaTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const

export type MediaExtension = keyof typeof mediaTypes

/** What an image is found by: the SHA-256 of its bytes in hex, and its extension. */
export interface MediaName {
  readonly hash: string
  readonly extension: MediaExtension
}

/** The largest image that is kept, in bytes. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024

/** The path under which images are served. */
export const MEDIA_FOLDER = '/media/'

const NAME = /^([0-9a-f]{64})\.([a-z]+)$/

/** Reads `<sha256>.<ext>`; null for any other text. */
export function readMediaName(text: string): MediaName | null {
  const [, hash, extension] = NAME.exec(text) ?? []
  if (hash === undefined || extension === undefined || !Object.hasOwn(mediaTypes, extension)) return null
  return { hash, extension: extension as MediaExtension }
}

/** The path an image is served at. Rows keep this form, without an origin, so that an instance can move. */
export const mediaPath = ({ hash, extension }: MediaName): string => `${MEDIA_FOLDER}${hash}.${extension}`

/** Which of our own images a stored address (or the path of an address) means; null where it is none of ours. */
export const mediaNameOf = (stored: string | null): MediaName | null =>
  stored?.startsWith(MEDIA_FOLDER) ? readMediaName(stored.slice(MEDIA_FOLDER.length)) : null

/** The hash of the image that a stored address means, or null where it is none of ours. */
export const mediaHashOf = (stored: string | null): string | null => mediaNameOf(stored)?.hash ?? null
