import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { Dialog } from '../../../components/dialog.tsx'
import type { KnownPlayer } from '../data.ts'
import { playerName, type Verb } from '../words.ts'
import { ActForm } from './act-form.tsx'
import { useActing } from './use-acting.ts'

interface Props {
  readonly userId: string
  readonly known: KnownPlayer | null
  /** What to begin with; null while nothing is to be done. */
  readonly action: Verb | null
  readonly onClose: () => void
}

/** Acts on a player. Closed without having done anything, it keeps what was typed for the next time on this page. */
export function ActDialog({ userId, known, action, onClose }: Props) {
  const isSmall = useMediaQuery('(max-width: 36em)', false, { getInitialValueInEffect: false })
  const acting = useActing(userId, known, onClose)
  const { begin } = acting
  // Anew at each opening, and at no other time.
  const [begun, setBegun] = useState<Verb | null>(null)
  useEffect(() => {
    if (action === begun) return
    setBegun(action)
    if (action !== null) begin(action)
  }, [action, begun, begin])
  return (
    <Dialog
      opened={action !== null}
      onClose={onClose}
      title={`Act on ${playerName({ userId, userUsername: known?.userUsername ?? null })}`}
      size="lg"
      fullScreen={isSmall}
      closeOnClickOutside={false}
    >
      <ActForm userId={userId} known={known} acting={acting} onCancel={onClose} />
    </Dialog>
  )
}
