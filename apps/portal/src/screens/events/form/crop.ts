/** The aspect ratios for cropping; `whole` keeps the ratio of the image. */
const aspectRatios = { wide: 16 / 9, square: 1, whole: null } as const
export type Shape = keyof typeof aspectRatios

/** A crop: shape, zoom factor, and position from 0 to 1 of the available movement. */
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

/** The cropped area in image pixels. */
export function getCropRect({ width, height }: Size, { shape, zoom, x, y }: Crop) {
  const ratio = aspectRatios[shape] ?? width / height
  const cropWidth = Math.min(width, height * ratio) / zoom
  const size = { width: cropWidth, height: cropWidth / ratio }
  return { left: x * (width - size.width), top: y * (height - size.height), ...size }
}

/** Moves a crop. @param deltaX as a fraction of the visible width; `deltaY` of the visible height */
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
