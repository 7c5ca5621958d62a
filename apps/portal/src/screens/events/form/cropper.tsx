import { Input, SegmentedControl, Slider, Stack } from '@mantine/core'
import { type PointerEvent, useEffect, useRef } from 'react'
import { type Crop, dragged, MAX_ZOOM, partOf, type Shape } from './crop.ts'
import classes from './form.module.css'
import { type ChosenImage, draw } from './image-file.ts'

/** As wide as a preview is drawn: enough for a sharp screen. */
const PREVIEW_WIDTH = 960

interface Props {
  readonly image: ChosenImage
  readonly crop: Crop
  readonly onChange: (crop: Crop) => void
}

const shapeChoice = [
  { value: 'wide', label: 'Wide' },
  { value: 'square', label: 'Square' },
  { value: 'whole', label: 'Whole image' },
]

/** Chooses what of an image is kept: by dragging it, or by its sliders. What is seen is what is saved. */
export function Cropper({ image, crop, onChange }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const grip = useRef<{ readonly x: number; readonly y: number; readonly crop: Crop } | null>(null)
  useEffect(() => {
    if (canvas.current) draw(canvas.current, image, crop, PREVIEW_WIDTH)
  }, [image, crop])

  const take = (event: PointerEvent<HTMLCanvasElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId)
    grip.current = { x: event.clientX, y: event.clientY, crop }
  }
  const move = (event: PointerEvent<HTMLCanvasElement>) => {
    if (!grip.current) return
    const { width, height } = event.currentTarget.getBoundingClientRect()
    const right = (event.clientX - grip.current.x) / width
    const down = (event.clientY - grip.current.y) / height
    onChange(dragged(image.bitmap, grip.current.crop, right, down))
  }
  const letGo = () => {
    grip.current = null
  }
  const part = partOf(image.bitmap, crop)
  return (
    <Stack gap="sm">
      <canvas
        ref={canvas}
        role="img"
        aria-label="The image as it will be shown"
        className={classes.preview}
        onPointerDown={take}
        onPointerMove={move}
        onPointerUp={letGo}
        onPointerCancel={letGo}
      />
      <SegmentedControl
        aria-label="Shape of the image"
        data={shapeChoice}
        value={crop.shape}
        onChange={(shape) => onChange({ ...crop, shape: shape as Shape })}
        fullWidth
      />
      <Place
        label="Zoom"
        value={(crop.zoom - 1) / (MAX_ZOOM - 1)}
        onChange={(value) => onChange({ ...crop, zoom: 1 + value * (MAX_ZOOM - 1) })}
      />
      <Place
        label="Left to right"
        value={crop.x}
        isFixed={image.bitmap.width - part.width < 1}
        onChange={(x) => onChange({ ...crop, x })}
      />
      <Place
        label="Top to bottom"
        value={crop.y}
        isFixed={image.bitmap.height - part.height < 1}
        onChange={(y) => onChange({ ...crop, y })}
      />
    </Stack>
  )
}

interface PlaceProps {
  readonly label: string
  /** From 0 to 1. */
  readonly value: number
  /** There is no way to go. */
  readonly isFixed?: boolean
  readonly onChange: (value: number) => void
}

const Place = ({ label, value, isFixed = false, onChange }: PlaceProps) => (
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
