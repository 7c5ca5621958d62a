import type { UseFormReturnType } from '@mantine/form'
import { useReducer, useState } from 'react'
import { ApiError } from '../api/error.ts'

export type ConflictSide = 'theirs' | 'mine'

/** A field that someone else changed while it was being edited, its values as text. */
export interface ConflictingField {
  readonly name: string
  readonly label: string
  /** The value before both changes. */
  readonly before: string
  readonly theirs: string
  readonly mine: string
  readonly chosen: ConflictSide
  readonly choose: (side: ConflictSide) => void
}

/** A change by someone else that the form does not contain. */
export interface OtherChange {
  readonly label: string
  readonly before: string
  readonly after: string
}

interface FieldValues<Name> {
  readonly name: Name
  readonly before: string
  readonly theirs: string
  /** What the user had entered when the conflict was found, or has entered since. */
  readonly mine: string
}

const isSame = (one: string, other: string): boolean => one.trim() === other.trim()

/**
 * Finds what someone else changed while a form was open, and lets the user choose their value or the own one for each field.
 * The form always has the chosen values; saving sends those that differ from `theirs`.
 * @param labels the label of each field of the form that can conflict
 * @param format the value of a field as shown to the user
 */
export function useEditConflict<Values extends Record<string, string>>(
  form: UseFormReturnType<Values>,
  labels: Readonly<Partial<Record<keyof Values & string, string>>>,
  format: (name: keyof Values & string, value: string) => string = (_name, value) => value,
) {
  type Name = keyof Values & string
  const [fields, setFields] = useState<readonly FieldValues<Name>[]>([])
  const [otherChanges, setOtherChanges] = useState<readonly OtherChange[]>([])
  const [, rerender] = useReducer((count: number) => count + 1, 0)
  const names = Object.keys(labels) as Name[]
  const getValue = (values: Values, name: Name): string => values[name] ?? ''
  // The choice follows what the user types. The labels of a form never change, so neither does the number of hooks.
  for (const name of names) form.watch(name as never, rerender)

  const setField = (name: Name, value: string) => {
    form.setFieldValue(name as never, value as never)
    form.clearFieldError(name)
  }
  const chooseSide = (field: FieldValues<Name>, side: ConflictSide) => {
    const current = getValue(form.getValues(), field.name)
    const mine = isSame(current, field.theirs) ? field.mine : current
    setFields((all) => all.map((other) => (other.name === field.name ? { ...other, mine } : other)))
    setField(field.name, side === 'theirs' ? field.theirs : mine)
  }

  return {
    /** The fields to decide on, in the order of the form. */
    fields: fields.map((field): ConflictingField => {
      const { name, before, theirs } = field
      const current = getValue(form.getValues(), name)
      const chosen = isSame(current, theirs) ? 'theirs' : 'mine'
      return {
        name,
        label: labels[name] ?? name,
        before: format(name, before),
        theirs: format(name, theirs),
        mine: format(name, chosen === 'mine' ? current : field.mine),
        chosen,
        choose: (side) => chooseSide(field, side),
      }
    }),
    otherChanges,
    clear: () => {
      setFields([])
      setOtherChanges([])
    },
    /**
     * Compares the values that the user started from with the current ones. Fields that only someone else changed get their
     * value; fields that both changed keep what the user entered.
     * @param subject what was edited: `case`
     * @returns the error to throw; null if nothing that is shown has changed, so that the user can save at once
     */
    report(
      subject: string,
      before: Values,
      theirs: Values,
      others: readonly OtherChange[] = [],
    ): ApiError | null {
      const current = form.getValues()
      const changed = names
        .map((name) => ({
          name,
          before: getValue(before, name),
          theirs: getValue(theirs, name),
          mine: getValue(current, name),
        }))
        .filter((field) => !isSame(field.theirs, field.before))
      const conflicting = changed.filter((field) => !isSame(field.theirs, field.mine))
      for (const field of conflicting)
        if (isSame(field.mine, field.before)) setField(field.name, field.theirs)
      setFields(conflicting)
      setOtherChanges(others)
      if (changed.length === 0 && others.length === 0) return null
      return new ApiError(
        412,
        'version_mismatch',
        `Someone else changed this ${subject} while you were editing. Nothing has been saved yet. Check the changes, then save again.`,
      )
    },
  }
}

export type EditConflict = ReturnType<typeof useEditConflict>
