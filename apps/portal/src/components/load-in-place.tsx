import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { hasErrorCode } from '../api/error.ts'
import { loadCode } from '../app/load-code.ts'
import { ErrorState } from './empty-error-loading.tsx'

/**
 * A part of a page whose code is loaded when it is shown for the first time. If that fails, its place says so, and it can be tried again.
 * @param load imports the part
 * @param placeholder shown while it is loading
 */
export function loadInPlace<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder: ReactNode,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function LoadInPlace(props: Props) {
    const [Part, setPart] = useState<ComponentType<Props> | null>(() => loaded)
    const [error, setError] = useState<unknown>(null)
    const isNeeded = Part === null && error === null
    useEffect(() => {
      if (!isNeeded) return
      loadCode(load).then((component) => {
        loaded = component
        setPart(() => component)
      }, setError)
    }, [isNeeded])
    if (Part) return <Part {...props} />
    if (error === null) return placeholder
    return hasErrorCode(error, 'updated') ? (
      <ErrorState error={error} retry={() => location.reload()} retryLabel="Reload" />
    ) : (
      <ErrorState error={error} retry={() => setError(null)} />
    )
  }
}
