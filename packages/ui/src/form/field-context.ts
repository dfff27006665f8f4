import { createContext, useContext } from 'react';

/** What a field passes to its control. */
type FieldControl = {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
};

const FieldContext = createContext<FieldControl | undefined>(undefined);

/** The id and aria attributes that the surrounding Field sets on its control. Empty outside a Field. */
function useFieldControl(): Partial<FieldControl> {
  return useContext(FieldContext) ?? {};
}

export { FieldContext, type FieldControl, useFieldControl };
