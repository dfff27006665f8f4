/** Says that changes are not saved, with a button to try again. Empty without a text. */
export function Unsaved({ text, retry }: { readonly text: string; readonly retry: () => void }) {
  return (
    <p role="alert" className="problem">
      {text !== '' && (
        <>
          {text}{' '}
          <button type="button" className="text-button" onClick={retry}>
            Try again
          </button>
        </>
      )}
    </p>
  );
}
