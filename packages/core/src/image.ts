/** Supported image formats: file extension → media type. */
export const imageMediaTypes = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
} as const

export type ImageExtension = keyof typeof imageMediaTypes

/** The key of an image: the SHA-256 of its bytes in hex, and its extension. */
export interface ImageName {
  readonly hash: string
  readonly extension: ImageExtension
}

/** Maximum size of an image, in bytes. */
export const MAX_IMAGE_BYTES = 2 * 1024 * 1024

/** Maximum number of pixels of an image: 160 MB in the memory of a browser. */
export const MAX_IMAGE_PIXELS = 40_000_000

/** The path under which images are served. */
export const IMAGE_PATH_PREFIX = '/media/'

const IMAGE_NAME = /^([0-9a-f]{64})\.([a-z]+)$/

/** Parses `<sha256>.<ext>`; null for any other text. */
export function parseImageName(text: string): ImageName | null {
  const [, hash, extension] = IMAGE_NAME.exec(text) ?? []
  if (hash === undefined || extension === undefined || !Object.hasOwn(imageMediaTypes, extension)) return null
  return { hash, extension: extension as ImageExtension }
}

/** The URL path of an image. It is stored without an origin, so that an instance can move to another one. */
export const toImagePath = ({ hash, extension }: ImageName): string =>
  `${IMAGE_PATH_PREFIX}${hash}.${extension}`

/** The image that a stored URL or path refers to; null if this instance does not serve it. */
export const parseImagePath = (path: string | null): ImageName | null =>
  path?.startsWith(IMAGE_PATH_PREFIX) ? parseImageName(path.slice(IMAGE_PATH_PREFIX.length)) : null

/** The hash of the image that a stored URL refers to; null if this instance does not serve it. */
export const parseImageHash = (path: string | null): string | null => parseImagePath(path)?.hash ?? null
