import { loadCode } from '../app/load-code.ts'
import type { EndAccessOptions } from './end-access-form.tsx'
import { openModal } from './modals.tsx'
import { notifyError } from './toast.tsx'

/** Opens the dialog that ends or reduces somebody's access, and asks what becomes of the API keys and webhooks that they created. */
export const openEndAccessDialog = ({ title, ...options }: EndAccessOptions): void =>
  void loadCode(() => import('./end-access-form.tsx')).then(
    ({ EndAccessForm }) =>
      openModal({ title, render: (close) => <EndAccessForm {...options} close={close} /> }),
    notifyError,
  )
