import {
  type FieldProblem,
  IMAGE_PATH_PREFIX,
  type ImageName,
  type ImageStore,
  imageMediaTypes,
  invalidRequest,
  type Ports,
  parseImageName,
  parseImagePath,
  toImagePath,
  wire,
} from '@reeve/core'
import { sha256Hex } from '@reeve/core/sha256'
import { markImageUsed, type Queries, statement, storeImageRow, type Transaction } from '@reeve/db'
import { yieldForLargeBody } from '@reeve/http'
import { isAboutToBeDeleted } from './cleanup.ts'
import type { DecodedImage } from './data-url.ts'

const unusedMark = statement<{ hash: string }>()((sql, p) =>
  sql.selectFrom('unused_image').select('found_at').where('hash', '=', p.hash),
)
const storedImage = statement<{ hash: string; extension: string }>()((sql, p) =>
  sql.selectFrom('media').select('hash').where('hash', '=', p.hash).where('extension', '=', p.extension),
)

/**
 * Creates the codec between an image URL and its stored form. A URL of this instance is stored as a path, so that it stays
 * valid when the public URL changes; any other URL must be https.
 */
export function createImageUrlCodec(publicUrl: URL): wire.Codec<string> {
  const localPrefix = `${publicUrl.origin}${IMAGE_PATH_PREFIX}`
  return {
    read(text) {
      const value = text.trim()
      const name = value.startsWith(localPrefix) ? parseImageName(value.slice(localPrefix.length)) : null
      return name ? toImagePath(name) : wire.httpsUrl.read(value)
    },
    write: (stored) => (parseImagePath(stored) ? `${publicUrl.origin}${stored}` : stored),
    description: `${wire.httpsUrl.description}; or the URL of an image stored by this service`,
    example: wire.httpsUrl.example,
  }
}

/** An image as its row stores it; `bytes` is null if the image store has them. */
export interface StoredImage extends ImageName {
  readonly bytes: Uint8Array | null
  /** In bytes, wherever they are stored. */
  readonly size: number
}

/**
 * Names an image by the SHA-256 of its content (a millisecond per megabyte) and saves its bytes in the image store. Runs
 * before the transaction, which waits only for the database.
 * @throws AppError `unavailable`
 */
export async function storeImage(
  db: Queries,
  images: ImageStore,
  { extension, bytes }: DecodedImage,
): Promise<StoredImage> {
  await yieldForLargeBody(bytes.length)
  const name: ImageName = { hash: sha256Hex(bytes), extension }
  const isStored = (await db.first(storedImage, name)) !== undefined
  return { ...name, bytes: isStored ? bytes : await images.save(name, bytes), size: bytes.length }
}

/** The three fields for the image of an event. Absent: unchanged; null: cleared. */
export interface ImageInput {
  readonly imageDataUrl?: DecodedImage | null
  readonly imageUrl?: string | null
  readonly image_url?: string | null
}

/** Whether a request sets an image that this instance stores. */
export const hasImage = ({ imageDataUrl, imageUrl, image_url }: ImageInput): boolean =>
  Boolean(imageDataUrl) || [imageUrl, image_url].some((url) => parseImagePath(url ?? null) !== null)

/** The contradictions between the three fields. */
export function validateImageFields({ imageDataUrl, imageUrl, image_url }: ImageInput): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (imageUrl !== undefined && image_url !== undefined && imageUrl !== image_url) {
    problems.push({ field: 'image_url', message: 'must equal imageUrl: both name the same field' })
  }
  if (imageDataUrl !== undefined && (imageUrl !== undefined || image_url !== undefined)) {
    problems.push({ field: 'imageDataUrl', message: 'cannot be combined with imageUrl or image_url' })
  }
  return problems
}

/**
 * Determines the stored image URL of an event after a request, and inserts the row of a new image.
 * @param input `image` is the stored form of `imageDataUrl`
 * @throws AppError `invalid_request` if the URL is of this instance and no such image is stored
 */
export async function resolveImageUrl(
  tx: Transaction,
  ports: Ports,
  input: ImageInput & { readonly image: StoredImage | null },
  before: string | null,
): Promise<string | null> {
  const { image, imageDataUrl, imageUrl, image_url } = input
  if (image) {
    const content_type = imageMediaTypes[image.extension]
    const { size, bytes, ...row } = image
    const size_bytes = bytes === null ? size : null
    await storeImageRow(tx, { ...row, content_type, created_at: ports.now(), size_bytes }, () => bytes)
    return toImagePath(image)
  }
  if (imageDataUrl === null) return null
  const url = imageUrl === undefined ? image_url : imageUrl
  if (url === undefined || url === before) return before
  const name = parseImagePath(url)
  if (name && !(await useStoredImage(tx, ports, name))) {
    const field = imageUrl === undefined ? 'image_url' : 'imageUrl'
    throw invalidRequest({ field, message: 'is not the URL of an image stored by this service' })
  }
  return url
}

/** Keeps a stored image for an event that refers to it. @returns false if it is not stored, or about to be deleted */
async function useStoredImage(tx: Transaction, ports: Ports, name: ImageName): Promise<boolean> {
  const mark = await tx.first(unusedMark, name)
  if (mark && isAboutToBeDeleted(mark.found_at, ports.now())) return false
  await markImageUsed(tx, name.hash)
  return (await tx.first(storedImage, name)) !== undefined
}
