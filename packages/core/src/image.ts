/** The kinds of image that are kept and served: file extension → media type. */
export const imageMediaTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const

export type ImageExtension = keyof typeof imageMediaTypes

/** What an image is found by: the SHA-256 of its bytes in hex, and its extension. */
export interface ImageName {
  readonly hash: string
  readonly extension: ImageExtension
}

/** The largest image that is kept, in bytes. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024

/** The path under which images are served. */
export const IMAGE_PATH_PREFIX = '/media/'

const IMAGE_NAME = /^([0-9a-f]{64})\.([a-z]+)$/

/** Reads `<sha256>.<ext>`; null for any other text. */
export function parseImageName(text: string): ImageName | null {
  const [, hash, extension] = IMAGE_NAME.exec(text) ?? []
  if (hash === undefined || extension === undefined || !Object.hasOwn(imageMediaTypes, extension)) return null
  return { hash, extension: extension as ImageExtension }
}

/** The path an image is served at. Rows keep this form, without an origin, so that an instance can move. */
export const toImagePath = ({ hash, extension }: ImageName): string =>
  `${IMAGE_PATH_PREFIX}${hash}.${extension}`

/** Which of our own images a stored address (or the path of an address) means; null where it is none of ours. */
export const parseImagePath = (path: string | null): ImageName | null =>
  path?.startsWith(IMAGE_PATH_PREFIX) ? parseImageName(path.slice(IMAGE_PATH_PREFIX.length)) : null

/** The hash of the image that a stored address means, or null where it is none of ours. */
export const parseImageHash = (path: string | null): string | null => parseImagePath(path)?.hash ?? null
