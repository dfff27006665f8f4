let known: Promise<ReadonlySet<string>> | undefined;

/**
 * Whether a password is one of the 49,000 that people choose most often: in any letters, and with whatever signs around
 * it. The list comes along with the program; nobody is asked.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  // Loaded by the first password that is asked about: 3 MB that many installations never need.
  known ??= load();
  const common = await known;
  const plain = password.normalize('NFKC').toLowerCase();
  return common.has(plain) || common.has(withoutSigns(plain));
}

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common'].map(String));
}

/** `password1!` is no better than `password1`. */
function withoutSigns(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]{1,70}/u, '').replace(/(?<=[\p{L}\p{N}])[^\p{L}\p{N}]{1,70}$/u, '');
}
