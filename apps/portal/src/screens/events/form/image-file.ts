import { MAX_IMAGE_BYTES } from '@reeve/core'
import { type Crop, getCropRect } from './crop.ts'

/** What can be chosen: everything else is told to be none of these. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** A picture that was chosen, as the browser sees it: turned the way it was taken. */
export interface ChosenImage {
  readonly bitmap: ImageBitmap
  readonly type: string
}

/** Wide enough for a large screen. */
const MAX_WIDTH = 1600
const QUALITIES = [0.9, 0.8, 0.65, 0.5]

/** Reads a file. @throws Error with a sentence for the reader */
export async function readImage(file: Blob): Promise<ChosenImage> {
  if (!imageTypes.some((type) => type === file.type))
    throw new Error('Choose a PNG, JPEG or WebP image. This file is none of them.')
  try {
    return { bitmap: await createImageBitmap(file), type: file.type }
  } catch {
    throw new Error('This file cannot be read as an image. It may be damaged; choose another one.')
  }
}

/** Draws what a crop keeps of an image, so wide at the most. */
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

/**
 * What a crop keeps, as a data URL that the server takes: smaller where it would be too large. Nothing is left of what a
 * camera wrote into the file, such as where it was.
 * @throws Error with a sentence for the reader
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

/** First as it came; then, for what holds much in little room, in ways that leave something out. */
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
