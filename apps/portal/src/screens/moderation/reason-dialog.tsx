import { loadCode } from '../../app/load-code.ts'
import { openModal } from '../../components/modals.tsx'
import { notifyError } from '../../components/toast.tsx'
import type { ReasonDialogOptions } from './reason-form.tsx'

/** Opens a dialog that asks for a reason before an action. If the action fails, the dialog stays open with its input. */
export function openReasonDialog({ title, ...options }: ReasonDialogOptions): void {
  loadCode(() => import('./reason-form.tsx')).then(
    ({ ReasonForm }) =>
      openModal({
        title,
        closeOnClickOutside: false,
        render: (close) => <ReasonForm {...options} close={close} />,
      }),
    notifyError,
  )
}
