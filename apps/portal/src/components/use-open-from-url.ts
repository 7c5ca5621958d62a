import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'

/**
 * Opens a form that the URL names, such as `/events?open=new`, and removes it from the URL, so that neither a reload nor Back
 * opens it again.
 * @param forms a function for each name; null if it is not allowed, undefined while that is unknown
 */
export function useOpenFromUrl(forms: Readonly<Record<string, (() => void) | null | undefined>>): void {
  const { open: name } = useSearch({ strict: false }) as { readonly open?: string }
  const navigate = useNavigate()
  const isKnown = name !== undefined && forms[name] !== undefined
  const openForm = useEffectEvent(() => {
    if (name === undefined) return
    const form = forms[name]
    void navigate({ to: '.', search: (before) => ({ ...before, open: undefined }), replace: true })
    form?.()
  })
  useEffect(() => {
    if (isKnown) openForm()
  }, [isKnown])
}
