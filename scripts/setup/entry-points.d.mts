export function listEntryPoints(folder: string): Record<string, string>;
