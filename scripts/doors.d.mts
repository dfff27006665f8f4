export function doorsOf(folder: string): Record<string, string>;
