/** The shapes that an image can be cut to; a whole one keeps its own. */
export const shapes = { wide: 16 / 9, square: 1, whole: null } as const
export type Shape = keyof typeof shapes

/** What of an image is kept: its shape, how far one is in, and where, from 0 to 1 of the way there is to go. */
export interface Crop {
  readonly shape: Shape
  readonly zoom: number
  readonly x: number
  readonly y: number
}

export const MAX_ZOOM = 4
export const firstCrop: Crop = { shape: 'wide', zoom: 1, x: 0.5, y: 0.5 }

export interface Size {
  readonly width: number
  readonly height: number
}

/** The part of an image that a crop keeps, in its own pixels. */
export function partOf({ width, height }: Size, { shape, zoom, x, y }: Crop) {
  const ratio = shapes[shape] ?? width / height
  const kept = Math.min(width, height * ratio) / zoom
  const size = { width: kept, height: kept / ratio }
  return { left: x * (width - size.width), top: y * (height - size.height), ...size }
}

/** The crop after it was dragged by so much of the part that is seen, where 1 is all of it. */
export function dragged(image: Size, crop: Crop, right: number, down: number): Crop {
  const part = partOf(image, crop)
  const along = (at: number, move: number, seen: number, whole: number) =>
    whole - seen < 1 ? at : Math.min(1, Math.max(0, at - (move * seen) / (whole - seen)))
  return {
    ...crop,
    x: along(crop.x, right, part.width, image.width),
    y: along(crop.y, down, part.height, image.height),
  }
}
