import { MAX_IMAGE_BYTES } from '@reeve/core'
import { type Crop, getCropRect } from './crop.ts'

/** The accepted image types. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** A chosen image, decoded and rotated according to its EXIF data. */
export interface ChosenImage {
  readonly bitmap: ImageBitmap
  readonly type: string
}

/** The maximum size in pixels, enough for large screens. */
const MAX_WIDTH = 1600
const QUALITIES = [0.9, 0.8, 0.65, 0.5]

/** Decodes an image file. @throws Error with a message for the user */
export async function readImage(file: Blob): Promise<ChosenImage> {
  if (!imageTypes.some((type) => type === file.type))
    throw new Error('This file type is not supported. Choose a PNG, JPEG or WebP image.')
  try {
    return { bitmap: await createImageBitmap(file), type: file.type }
  } catch {
    throw new Error('This file cannot be read as an image. It may be damaged. Choose another one.')
  }
}

/** Draws the cropped area of an image, scaled down to at most `maxWidth` pixels. */
export function drawCrop(
  canvas: HTMLCanvasElement,
  { bitmap }: ChosenImage,
  crop: Crop,
  maxWidth = MAX_WIDTH,
) {
  const { left, top, width, height } = getCropRect(bitmap, crop)
  const scale = Math.min(1, maxWidth / Math.max(width, height))
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  const context = canvas.getContext('2d')
  if (!context) return
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, left, top, width, height, 0, 0, canvas.width, canvas.height)
}

/*
 * Encodes the cropped area as a data URL, scaled down if it would exceed the server's limit. Re-encoding drops all
 * metadata, such as the location.
 * @throws Error with a message for the user if it cannot be made small enough

 */
export async function encodeImage(image: ChosenImage, crop: Crop): Promise<string> {
  const canvas = document.createElement('canvas')
  for (let maxWidth = MAX_WIDTH; maxWidth >= 100; maxWidth /= 2) {
    drawCrop(canvas, image, crop, maxWidth)
    for (const [type, quality] of listEncodings(image.type)) {
      const blob = await toBlob(canvas, type, quality)
      if (blob?.type === type && blob.size <= MAX_IMAGE_BYTES) return toDataUrl(blob)
    }
  }
  throw new Error('This image cannot be made small enough. Choose another one.')
}

/** The original type first, then lossy types with decreasing quality. */
const listEncodings = (type: string): readonly (readonly [string, number])[] => [
  [type, QUALITIES[0] ?? 1],
  ...QUALITIES.map((quality) => ['image/webp', quality] as const),
  ...QUALITIES.map((quality) => ['image/jpeg', quality] as const),
]

const toBlob = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))

const toDataUrl = (blob: Blob) =>
  new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(new Error('This image cannot be read. Choose it again.'))
    reader.readAsDataURL(blob)
  })
