import type { SwitchableEndpoint } from '@reeve/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { useEndpointState } from './endpoint-state.tsx'

/**
 * Opens a form that the URL names, such as `/events?open=new`, and removes it from the URL, so that neither a reload nor Back
 * opens it again.
 * @param endpoint what the forms change something through: while it is blocked, they do not open; null if it depends on no
 *   endpoint
 * @param forms a function for each name; null if it is not allowed, undefined while that is unknown
 * @param options.worksWhenArchived whether the forms open in an archived workspace too
 */
export function useOpenFromUrl(
  endpoint: SwitchableEndpoint | null,
  forms: Readonly<Record<string, (() => void) | null | undefined>>,
  { worksWhenArchived = false }: { readonly worksWhenArchived?: boolean } = {},
): void {
  const { blockedReason, restrictedReason } = useEndpointState(endpoint)
  const isBlocked = (worksWhenArchived ? restrictedReason : blockedReason) !== null
  const { open: name } = useSearch({ strict: false }) as { readonly open?: string }
  const navigate = useNavigate()
  const isKnown = name !== undefined && forms[name] !== undefined
  const openForm = useEffectEvent(() => {
    if (name === undefined) return
    const form = forms[name]
    void navigate({ to: '.', search: (before) => ({ ...before, open: undefined }), replace: true })
    if (!isBlocked) form?.()
  })
  useEffect(() => {
    if (isKnown) openForm()
  }, [isKnown])
}
