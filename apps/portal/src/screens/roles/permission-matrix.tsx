import { useMediaQuery } from '@mantine/hooks'
import type { MatrixProps } from './matrix-cell-state.ts'
import { NarrowMatrix } from './narrow-matrix.tsx'
import { WideMatrix } from './wide-matrix.tsx'

/** What each role may do: side by side where there is room, one role after another on a phone. */
export function PermissionMatrix(props: MatrixProps) {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false })
  return isWide ? <WideMatrix {...props} /> : <NarrowMatrix {...props} />
}
