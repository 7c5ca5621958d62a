import { type ChangeEvent, type FormEvent, useRef, useState } from 'react'

interface TextValue extends Record<string, unknown> {
  readonly value: string
}

/** A form with one text, without the library for forms, which a screen would load for it alone. */
export function useTextForm() {
  const [value, setValue] = useState('')
  const [error, setError] = useState<string | null>(null)
  const latest = useRef(value)
  latest.current = value
  const getValues = (): TextValue => ({ value: latest.current })
  const reset = () => {
    latest.current = ''
    setValue('')
  }
  return {
    value,
    reset,
    /** Clears the text that was sent, but keeps what was typed while its request ran. */
    resetSent(sent: string) {
      if (latest.current === sent) reset()
    },
    inputProps: {
      value,
      error,
      onChange(event: ChangeEvent<HTMLTextAreaElement>) {
        setValue(event.currentTarget.value)
        setError(null)
      },
    },
    form: {
      getValues,
      clearErrors: () => setError(null),
      setFieldError: (_field: string, message: string) => setError(message),
      onSubmit:
        (handle: (values: TextValue, event?: FormEvent<HTMLFormElement>) => Promise<void>) =>
        (event?: FormEvent<HTMLFormElement>) => {
          event?.preventDefault()
          void handle(getValues(), event)
        },
    },
  }
}

/** What a field of such a form needs. */
export type AddedTextProps = ReturnType<typeof useTextForm>['inputProps'] & {
  readonly label: string
  readonly description: string | undefined
  readonly readOnly: boolean
}
