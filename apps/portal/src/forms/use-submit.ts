import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError, getErrorMessage } from '../api/error.ts'
import { createFormWrites } from '../api/idempotency.ts'

/** What submitting needs of a form: one of `@mantine/form`, or a simpler one. */
interface SubmittableForm<Values> {
  readonly getValues: () => Values
  readonly clearErrors: () => void
  setFieldError(field: keyof Values & string, message: string): void
  onSubmit(
    handle: (values: Values, event?: FormEvent<HTMLFormElement>) => Promise<void>,
  ): (event?: FormEvent<HTMLFormElement>) => void
}

/** The submission state of a form. */
export interface FormSubmission {
  readonly onSubmit: (event?: FormEvent<HTMLFormElement>) => void
  readonly isBusy: boolean
  /** The error that belongs to no field; for `FormAlert`. */
  readonly alert: string
  /** Clears the errors of the last attempt. */
  readonly clear: () => void
  /** Clears them, and makes the next attempt a new one, not a retry. */
  readonly restart: () => void
  /** Shows an error of what the form has started, such as a dialog that asks before it saves. */
  readonly showError: (error: unknown) => void
}

/** The message for an empty field, whatever the server's message is. */
const REQUIRED_MESSAGE = 'is required'

/**
 * Submits a form. If it fails, the input stays, invalid fields show their error and the first of them is focused.
 * @param labels the label of each field, which starts its error message: `Password must be 10 to 200 characters.`
 * @param send sends the requests; its errors are shown
 */
export function useSubmit<Values extends Record<string, unknown>>(
  form: SubmittableForm<Values>,
  labels: Readonly<Record<keyof Values & string, string>>,
  send: (values: Values) => Promise<void>,
): FormSubmission {
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const lastSubmit = useRef<{ readonly form: HTMLFormElement; readonly focused: Element | null } | null>(null)
  const [writes] = useState(createFormWrites)
  const lastError = useRef<unknown>(null)

  const clear = () => {
    setAlert('')
    form.clearErrors()
  }
  const showError = (error: unknown) => {
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

  // Runs after rendering, when the invalid fields are marked and the button is enabled again.
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
    restart() {
      clear()
      writes.forget()
    },
    showError,
    onSubmit: form.onSubmit(async (values, event) => {
      if (isBusy) return
      clear()
      setIsBusy(true)
      lastSubmit.current = { form: event?.target as HTMLFormElement, focused: document.activeElement }
      try {
        await writes.run(() => send(values))
      } catch (error) {
        lastError.current = error
        showError(error)
      } finally {
        setIsBusy(false)
      }
    }),
  }
}

const SECRET_FIELDS = '[autocomplete="one-time-code"], [type="password"]'

/** After a 401 the password or code has to be entered again. */
const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401
