import { useMediaQuery } from '@mantine/hooks'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { ModalDialog } from '../../components/modal.tsx'
import classes from './palette.module.css'
import type { PaletteItem } from './palette-item.ts'
import { PaletteSearch } from './palette-search.tsx'

interface Props {
  readonly isOpen: boolean
  readonly close: () => void
  readonly text: string
  readonly setText: (text: string) => void
  /** Called once the field has the focus. */
  readonly onReady: () => void
}

/** The dialog of the command palette: over the whole screen on a phone. */
export function PaletteDialog({ isOpen, close, ...search }: Props) {
  const router = useRouter()
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  // After a choice, the page or dialog that it opens takes the focus.
  const [hasChosen, setHasChosen] = useState(false)
  if (isOpen && hasChosen) setHasChosen(false)
  const choose = ({ target }: PaletteItem) => {
    setHasChosen(true)
    close()
    if (typeof target === 'string') router.history.push(target)
    else void target()
  }
  return (
    <ModalDialog
      opened={isOpen}
      onClose={close}
      withCloseButton={false}
      fullScreen={isPhone}
      size="lg"
      centered={false}
      yOffset="12vh"
      padding={0}
      returnFocus={!hasChosen}
      transitionProps={{ duration: 100 }}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
      attributes={{ content: { 'aria-label': 'Commands' } }}
    >
      <PaletteSearch {...search} close={close} choose={choose} isPhone={isPhone} />
    </ModalDialog>
  )
}
