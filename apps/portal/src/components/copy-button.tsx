import { ActionIcon, Button, VisuallyHidden } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { loadCode } from '../app/load-code.ts'
import { copyText } from './copy-text.ts'
import { notifyError } from './toast.tsx'

/** How long a button says that it has copied. */
const COPIED_MS = 2000

interface TextProps {
  /** What is copied. */
  readonly value: string
  /** Names it. */
  readonly label: string
}

const showText = (props: TextProps): Promise<void> =>
  loadCode(() => import('./text-to-copy.tsx')).then(
    ({ openTextToCopy }) => openTextToCopy(props),
    notifyError,
  )

function useCopy({ value, label }: TextProps) {
  const [copies, setCopies] = useState(0)
  const isCopied = copies > 0
  useEffect(() => {
    if (copies === 0) return
    const timer = setTimeout(() => setCopies(0), COPIED_MS)
    return () => clearTimeout(timer)
  }, [copies])
  const copy = async () => {
    if (await copyText(value)) setCopies((count) => count + 1)
    else await showText({ value, label })
  }
  return {
    isCopied,
    copy: () => void copy(),
    announcement: <VisuallyHidden role="status">{isCopied ? `Copied: ${label}` : ''}</VisuallyHidden>,
  }
}

/** Copies a text, or shows it selected if the browser does not allow that. */
export function CopyTextButton(props: TextProps) {
  const { isCopied, copy, announcement } = useCopy(props)
  return (
    <>
      <ActionIcon
        variant="subtle"
        color={isCopied ? 'green' : 'gray'}
        onClick={copy}
        title={isCopied ? 'Copied' : 'Copy'}
        aria-label={`${isCopied ? 'Copied' : 'Copy'}: ${props.label}`}
      >
        {isCopied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
      {announcement}
    </>
  )
}

interface ButtonProps extends TextProps {
  readonly withIcon?: true
  readonly children: ReactNode
}

/** Copies a text like `CopyTextButton`, with a text on the button. */
export function CopyButton({ withIcon, children, ...props }: ButtonProps) {
  const { isCopied, copy, announcement } = useCopy(props)
  const Icon = isCopied ? IconCheck : IconCopy
  return (
    <>
      <Button variant="default" onClick={copy} leftSection={withIcon && <Icon size={16} aria-hidden />}>
        {isCopied ? 'Copied' : children}
      </Button>
      {announcement}
    </>
  )
}
