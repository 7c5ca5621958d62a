import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useEffectEvent, useRef } from 'react'
import { isVersionMismatch } from '../api/error.ts'
import type { TypedText } from '../components/dialog-texts.ts'
import { useEditConflict } from './use-edit-conflict.ts'

interface Options<Stored, Values extends Record<string, string>> {
  /** What it is, such as “workspace”. */
  readonly noun: string
  readonly labels: Readonly<Record<keyof Values & string, string>>
  /** What is stored now. */
  readonly stored: Stored
  readonly toValues: (stored: Stored) => Values
  /** Reads what is stored, after somebody else has changed it. */
  readonly readLatest: () => Promise<Stored>
  /** The value of a field as shown to the user. */
  readonly format?: (name: keyof Values & string, value: string) => string
}

/**
 * A form of a page that changes what is stored, such as settings. A change by someone else is shown at once, unless the user has
 * typed something: then saving asks which values to keep.
 * @param form a controlled one: in others, the fields are replaced after a save, and lose the focus
 */
export function useStoredForm<
  Stored extends { readonly version: string },
  Values extends Record<string, string>,
>(
  form: UseFormReturnType<Values>,
  { noun, labels, stored, toValues, readLatest, format = (_name, value) => value }: Options<Stored, Values>,
) {
  const names = Object.keys(labels) as (keyof Values & string)[]
  /** What the user has seen and is editing. */
  const base = useRef(stored)
  const conflict = useEditConflict(form, labels, format)
  const startFrom = (current: Stored) => {
    base.current = current
    form.setInitialValues(toValues(current))
    form.reset()
    conflict.clear()
  }
  const follow = useEffectEvent((current: Stored) => {
    if (!form.isDirty() && current.version !== base.current.version) startFrom(current)
  })
  useEffect(() => follow(stored), [stored])
  return {
    conflict,
    /** Reads what was entered and is not saved. */
    readTexts: (): readonly TypedText[] =>
      names
        .filter((name) => form.isDirty(name))
        .map((name) => ({ label: labels[name], text: format(name, form.getValues()[name] ?? '') })),
    /**
     * Saves what was entered. What is typed while that is under way stays in the form, and is not saved yet.
     * @param sent the values that `send` saves
     * @param send changes what is stored, unless it differs from `before`, and returns it
     * @throws ApiError that explains a change by someone else, which the form then shows
     */
    async save(sent: Values, send: (before: Stored) => Promise<Stored>): Promise<Stored> {
      const before = base.current
      try {
        const saved = await send(before)
        const typed = form.getValues()
        startFrom(saved)
        for (const name of names)
          if (typed[name] !== sent[name]) form.setFieldValue(name as never, typed[name] as never)
        return saved
      } catch (error) {
        if (!isVersionMismatch(error)) throw error
        base.current = await readLatest()
        const theirs = toValues(base.current)
        form.setInitialValues(theirs)
        throw conflict.report(noun, toValues(before), theirs) ?? error
      }
    },
  }
}
