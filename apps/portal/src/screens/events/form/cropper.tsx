import { Input, SegmentedControl, Slider, Stack } from '@mantine/core'
import { type PointerEvent, useEffect, useRef } from 'react'
import { type Crop, dragCrop, getCropRect, MAX_ZOOM, type Shape } from './crop.ts'
import classes from './form.module.css'
import { type ChosenImage, drawCrop } from './image-file.ts'

/** The width of the preview in pixels, enough for high-density screens. */
const PREVIEW_WIDTH = 960

interface Props {
  readonly image: ChosenImage
  readonly crop: Crop
  readonly onChange: (crop: Crop) => void
}

const shapeOptions = [
  { value: 'wide', label: 'Wide' },
  { value: 'square', label: 'Square' },
  { value: 'whole', label: 'Whole image' },
]

/**
 * Crops an image by dragging it or with sliders; the preview shows exactly what is saved.
 * Not react-easy-crop: it is moved with a keyboard only on a `div` without a role or a value, and it has no
 * sliders for the position, which screen readers announce (e2e/events-image.test.ts).
 */
export function Cropper({ image, crop, onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const dragStart = useRef<{ readonly x: number; readonly y: number; readonly crop: Crop } | null>(null)
  useEffect(() => {
    if (canvas.current) drawCrop(canvas.current, image, crop, PREVIEW_WIDTH)
  }, [image, crop])

  const startDrag = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    dragStart.current = { x: event.clientX, y: event.clientY, crop }
  }
  const continueDrag = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!dragStart.current) return
    const { width, height } = event.currentTarget.getBoundingClientRect()
    const deltaX = (event.clientX - dragStart.current.x) / width
    const deltaY = (event.clientY - dragStart.current.y) / height
    onChange(dragCrop(image.bitmap, dragStart.current.crop, deltaX, deltaY))
  }
  const endDrag = () => {
    dragStart.current = null
  }
  const rect = getCropRect(image.bitmap, crop)
  return (
    <Stack gap="sm">
      <canvas
        ref={canvas}
        role="img"
        aria-label="Preview of the cropped image"
        className={classes.preview}
        onPointerDown={startDrag}
        onPointerMove={continueDrag}
        onPointerUp={endDrag}
        onPointerCancel={endDrag}
      />
      <SegmentedControl
        aria-label="Image shape"
        data={shapeOptions}
        value={crop.shape}
        onChange={(shape) => onChange({ ...crop, shape: shape as Shape })}
        fullWidth
      />
      <CropSlider
        label="Zoom"
        value={(crop.zoom - 1) / (MAX_ZOOM - 1)}
        onChange={(value) => onChange({ ...crop, zoom: 1 + value * (MAX_ZOOM - 1) })}
      />
      <CropSlider
        label="Left to right"
        value={crop.x}
        isFixed={image.bitmap.width - rect.width < 1}
        onChange={(x) => onChange({ ...crop, x })}
      />
      <CropSlider
        label="Top to bottom"
        value={crop.y}
        isFixed={image.bitmap.height - rect.height < 1}
        onChange={(y) => onChange({ ...crop, y })}
      />
    </Stack>
  )
}

interface CropSliderProps {
  readonly label: string
  /** From 0 to 1. */
  readonly value: number
  /** The image cannot move in this direction. */
  readonly isFixed?: boolean
  readonly onChange: (value: number) => void
}

const CropSlider = ({ label, value, isFixed = false, onChange }: CropSliderProps) => (
  <div className={classes.slider} data-is-fixed={isFixed || undefined}>
    <Input.Label component="span" aria-hidden>
      {label}
    </Input.Label>
    <Slider
      label={null}
      thumbLabel={label}
      min={0}
      max={100}
      step={1}
      value={Math.round(value * 100)}
      disabled={isFixed}
      onChange={(percent) => onChange(percent / 100)}
    />
  </div>
)
