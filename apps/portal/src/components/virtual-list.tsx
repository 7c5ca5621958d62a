import { useEffect, useState } from 'react'
import type { ListProps } from './list-props.ts'
import { useIsPrinting } from './use-printing.ts'

/** A shorter list is rendered in full, so that the browser finds text in all of it. */
const MAX_RENDERED_ROWS = 100

type LongListModule = typeof import('./long-list.tsx')
let loaded: LongListModule | null = null

/** The code of long lists, which is loaded when a list is long for the first time; null until then. */
function useLongList(isNeeded: boolean): LongListModule['LongList'] | null {
  const [isLoaded, setIsLoaded] = useState(loaded !== null)
  useEffect(() => {
    if (!isNeeded || isLoaded) return
    import('./long-list.tsx').then(
      (module) => {
        loaded = module
        setIsLoaded(true)
      },
      // The whole list is still shown.
      () => null,
    )
  }, [isNeeded, isLoaded])
  return isNeeded ? (loaded?.LongList ?? null) : null
}

/** A list that renders only the rows near the visible part of the page once it is long. */
export function VirtualList<Row>(props: ListProps<Row>) {
  const isPrinting = useIsPrinting()
  const { rows, rowKey, children, label, className } = props
  const LongList = useLongList(rows.length > MAX_RENDERED_ROWS && !isPrinting)
  if (LongList) return <LongList {...props} />
  return (
    <ul className={className} aria-label={label}>
      {rows.map((row) => (
        <li key={rowKey(row)}>{children(row)}</li>
      ))}
    </ul>
  )
}
