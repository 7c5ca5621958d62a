import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** Whether the page is being printed, known before the browser lays it out. */
export function useIsPrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false)
  useEffect(() => {
    const media = matchMedia('print')
    const update = (isPrint: boolean) => flushSync(() => setIsPrinting(isPrint))
    const handleMediaChange = ({ matches }: MediaQueryListEvent) => update(matches)
    const start = () => update(true)
    const end = () => update(false)
    media.addEventListener('change', handleMediaChange)
    addEventListener('beforeprint', start)
    addEventListener('afterprint', end)
    return () => {
      media.removeEventListener('change', handleMediaChange)
      removeEventListener('beforeprint', start)
      removeEventListener('afterprint', end)
    }
  }, [])
  return isPrinting
}
