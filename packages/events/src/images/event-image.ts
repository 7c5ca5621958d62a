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
import { insertImage, type Queries, statement, type Transaction } from '@reeve/db'
import type { DecodedImage } from './data-url.ts'

const storedImage = statement<{ hash: string; extension: string }>()((sql, p) =>
  sql.selectFrom('media').select('hash').where('hash', '=', p.hash).where('extension', '=', p.extension),
)

/**
 * The address of an event's image ↔ how it is stored. An address of ours, in the form we give it out, is stored as its
 * path, so that it may be sent back as it came and follows the instance to another origin; any other must be https.
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
    description: `${wire.httpsUrl.description}; or the address of an image that this service holds`,
    example: wire.httpsUrl.example,
  }
}

/** An image as its row is to hold it: without bytes where they lie elsewhere. */
export interface StoredImage extends ImageName {
  readonly bytes: Uint8Array | null
}

/**
 * Names an image by its content, a millisecond a megabyte, and sees to it that its bytes are found once its row is written:
 * outside of the transaction, which waits for nothing but the database.
 * @throws AppError `unavailable`
 */
export async function storeImage(
  db: Queries,
  images: ImageStore,
  { extension, bytes }: DecodedImage,
): Promise<StoredImage> {
  const name: ImageName = { hash: sha256Hex(bytes), extension }
  const isStored = (await db.first(storedImage, name)) !== undefined
  return { ...name, bytes: isStored ? bytes : await images.save(name, bytes) }
}

/** The three fields that speak of an event's image. Absent: left as it is; null: cleared. */
export interface ImageInput {
  readonly imageDataUrl?: DecodedImage | null
  readonly imageUrl?: string | null
  readonly image_url?: string | null
}

/** What the three fields say against one another. */
export function validateImageFields({ imageDataUrl, imageUrl, image_url }: ImageInput): FieldProblem[] {
  const problems: FieldProblem[] = []
  if (imageUrl !== undefined && image_url !== undefined && imageUrl !== image_url) {
    problems.push({ field: 'image_url', message: 'differs from imageUrl; they are one field' })
  }
  if (imageDataUrl !== undefined && (imageUrl !== undefined || image_url !== undefined)) {
    problems.push({ field: 'imageDataUrl', message: 'must not come together with imageUrl or image_url' })
  }
  return problems
}

/**
 * The stored address of an event's image after a request, which keeps the image that the request brings.
 * @param image the kept form of `imageDataUrl`
 * @throws AppError `invalid_request` where the request gives the address of an image that is not held
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
    await tx.run(insertImage, { ...image, content_type, created_at: ports.now() })
    return toImagePath(image)
  }
  if (imageDataUrl === null) return null
  const url = imageUrl === undefined ? image_url : imageUrl
  if (url === undefined || url === before) return before
  const name = parseImagePath(url)
  if (name && !(await tx.first(storedImage, name))) {
    const field = imageUrl === undefined ? 'image_url' : 'imageUrl'
    throw invalidRequest({ field, message: 'is not the address of an image that this service holds' })
  }
  return url
}
