import { encode } from 'uqr'
import classes from './factors.module.css'

/** The margin that scanners need around a code, in modules. Source: ISO/IEC 18004. */
const QUIET_ZONE = 4

interface Props {
  readonly text: string
  /** What the code contains. */
  readonly label: string
}

/** A QR code. Black on white in dark mode too, because not every scanner reads the reverse. */
export function QrCode({ text, label }: Props) {
  const { data, size } = encode(text, { border: QUIET_ZONE })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className={classes.qrCode}>
      <path d={path.join('')} shapeRendering="crispEdges" />
    </svg>
  )
}
