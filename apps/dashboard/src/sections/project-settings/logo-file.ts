import { profileImageMaxLength } from '@tessera/client/internals';

/** The server reads a data URL of `profileImageMaxLength` characters; base64 has four characters for three bytes. */
const logoMaxBytes = 0.7 * profileImageMaxLength;

const types: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

/** The `accept` attribute of the file field. */
export const logoTypes = types.join(',');

/** Why a file cannot be a logo. */
export function logoProblem({ type, size }: Pick<File, 'type' | 'size'>): 'type' | 'size' | undefined {
  if (!types.includes(type)) return 'type';
  return size > logoMaxBytes ? 'size' : undefined;
}

/** Reads a file as a data URL. @throws when the file cannot be read, for example because it was deleted */
export function readDataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
