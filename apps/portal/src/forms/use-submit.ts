import type { UseFormReturnType } from '@mantine/form'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, getErrorMessage } from '../api/error.ts'

/** How a form stands with the server. */
export interface FormSubmission {
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void
  readonly isBusy: boolean
  /** Why it was refused, where no field says so; for `FormAlert`. */
  readonly alert: string
  /** Takes back what was said of the last try. */
  readonly clear: () => void
}

/** What an empty field is told, whatever else is wrong with nothing. */
const REQUIRED_MESSAGE = 'is required'

/**
 * Sends a form. What was typed stays; each field that was refused says so beside itself, and the first of them is focused.
 * @param labels the label of each field, which its problem is told after: `Password must be 10 to 200 characters.`
 * @param work the calls; what it throws is shown
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: UseFormReturnType<Values>,
  labels: Readonly<Record<keyof Values & string, string>>,
  send: (values: Values) => Promise<void>,
): FormSubmission {
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const lastSubmit = useRef<{ readonly form: HTMLFormElement; readonly focused: Element | null } | null>(null)
  const lastError = useRef<unknown>(null)

  const clear = () => {
    setAlert('')
    form.clearErrors()
  }
  const showErrors = (error: unknown) => {
    const details = error instanceof ApiError ? error.details : []
    const isOwnField = (field: string) => Object.hasOwn(labels, field)
    for (const { field, message } of details.filter((detail) => isOwnField(detail.field))) {
      const fieldMessage = form.getValues()[field] === '' ? REQUIRED_MESSAGE : message
      form.setFieldError(field, `${labels[field]} ${fieldMessage}.`)
    }
    const otherDetails = details.filter(({ field }) => !isOwnField(field))
    const otherMessages = otherDetails.map(({ field, message }) => `${field} ${message}.`)
    setAlert(details.length > 0 ? otherMessages.join(' ') : getErrorMessage(error))
  }

  // The fields are marked, and the button can be pressed again, once they have been drawn.
  useEffect(() => {
    if (isBusy || lastError.current === null || !lastSubmit.current) return
    const { form: element, focused } = lastSubmit.current
    const invalidField = element.querySelector('[aria-invalid="true"]')
    const secretField = isUnauthorized(lastError.current) ? element.querySelector(SECRET_FIELDS) : null
    lastError.current = null
    const focusTarget = invalidField ?? secretField ?? focused
    if (focusTarget instanceof HTMLElement) focusTarget.focus()
  })

  return {
    isBusy,
    alert,
    clear,
    onSubmit: form.onSubmit(async (values, event) => {
      if (isBusy) return
      clear()
      setIsBusy(true)
      lastSubmit.current = { form: event?.target as HTMLFormElement, focused: document.activeElement }
      try {
        await send(values)
      } catch (error) {
        lastError.current = error
        showErrors(error)
      } finally {
        setIsBusy(false)
      }
    }),
  }
}

const SECRET_FIELDS = '[autocomplete="one-time-code"], [type="password"]'

/** A secret that was not the right one is what has to be typed anew. */
const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401
