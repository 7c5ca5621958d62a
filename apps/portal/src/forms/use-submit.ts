import type { UseFormReturnType } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, sentenceOf } from '../api/error.ts'

/** How a form stands with the server. */
export interface Submit {
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void
  readonly isBusy: boolean
  /** Why it was refused, where no field says so; for `FormAlert`. */
  readonly alert: string
  /** Takes back what was said of the last try. */
  readonly clear: () => void
}

/** What an empty field is told, whatever else is wrong with nothing. */
const REQUIRED = 'is required'

/**
 * Sends a form. What was typed stays; each field that was refused says so beside itself, and the first of them is focused.
 * @param labels the label of each field, which its problem is told after: `Password must be 10 to 200 characters.`
 * @param work the calls; what it throws is shown
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  labels: Readonly<Record<keyof Values & string, string>>,
  work: (values: Values) => Promise<void>,
): Submit {
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const sent = useRef<{ readonly form: HTMLFormElement; readonly focused: Element | null } | null>(null)
  const refusal = useRef<unknown>(null)

  const clear = () => {
    setAlert('')
    form.clearErrors()
  }
  const refuse = (error: unknown) => {
    const details = error instanceof ApiError ? error.details : []
    const isHere = (field: string) => Object.hasOwn(labels, field)
    for (const { field, message } of details.filter((one) => isHere(one.field))) {
      const problem = form.getValues()[field] === '' ? REQUIRED : message
      form.setFieldError(field, `${labels[field]} ${problem}.`)
    }
    const elsewhere = details.filter(({ field }) => !isHere(field))
    const sentences = elsewhere.map(({ field, message }) => `${field} ${message}.`)
    setAlert(details.length > 0 ? sentences.join(' ') : sentenceOf(error))
  }

  // The fields are marked, and the button can be pressed again, once they have been drawn.
  useEffect(() => {
    if (isBusy || refusal.current === null || !sent.current) return
    const { form: element, focused } = sent.current
    const wrong = element.querySelector('[aria-invalid="true"]')
    const secret = isAboutSecret(refusal.current) ? element.querySelector(SECRETS) : null
    refusal.current = null
    const next = wrong ?? secret ?? focused
    if (next instanceof HTMLElement) next.focus()
  })

  return {
    isBusy,
    alert,
    clear,
    onSubmit: form.onSubmit(async (values, event) => {
      if (isBusy) return
      clear()
      setIsBusy(true)
      sent.current = { form: event?.target as HTMLFormElement, focused: document.activeElement }
      try {
        await work(values)
      } catch (error) {
        refusal.current = error
        refuse(error)
      } finally {
        setIsBusy(false)
      }
    }),
  }
}

const SECRETS = '[autocomplete="one-time-code"], [type="password"]'

/** A secret that was not the right one is what has to be typed anew. */
const isAboutSecret = (error: unknown): boolean => error instanceof ApiError && error.status === 401
