/** The shapes that an image can be cut to; a whole one keeps its own. */
export const aspectRatios = { wide: 16 / 9, square: 1, whole: null } as const
export type Shape = keyof typeof aspectRatios

/** What of an image is kept: its shape, how far one is in, and where, from 0 to 1 of the way there is to go. */
export interface Crop {
  readonly shape: Shape
  readonly zoom: number
  readonly x: number
  readonly y: number
}

export const MAX_ZOOM = 4
export const initialCrop: Crop = { shape: 'wide', zoom: 1, x: 0.5, y: 0.5 }

export interface Size {
  readonly width: number
  readonly height: number
}

/** The part of an image that a crop keeps, in its own pixels. */
export function getCropRect({ width, height }: Size, { shape, zoom, x, y }: Crop) {
  const ratio = aspectRatios[shape] ?? width / height
  const cropWidth = Math.min(width, height * ratio) / zoom
  const size = { width: cropWidth, height: cropWidth / ratio }
  return { left: x * (width - size.width), top: y * (height - size.height), ...size }
}

/** The crop after it was dragged by so much of the part that is seen, where 1 is all of it. */
export function dragCrop(image: Size, crop: Crop, deltaX: number, deltaY: number): Crop {
  const rect = getCropRect(image, crop)
  const shift = (position: number, delta: number, visible: number, total: number) =>
    total - visible < 1
      ? position
      : Math.min(1, Math.max(0, position - (delta * visible) / (total - visible)))
  return {
    ...crop,
    x: shift(crop.x, deltaX, rect.width, image.width),
    y: shift(crop.y, deltaY, rect.height, image.height),
  }
}
