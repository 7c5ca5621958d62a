import type { ReactNode } from 'react'
import { useMay } from '../../api/me.ts'
import { NotForYou } from '../../components/not-for-you.tsx'
import { Screen } from '../../components/screen.tsx'

/** A screen for those who may see what is moderated; to others it says who can change that. */
export function ViewersOnly({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  if (useMay('moderation.view')) return children
  return (
    <Screen title={title}>
      <NotForYou permission="moderation.view" />
    </Screen>
  )
}
