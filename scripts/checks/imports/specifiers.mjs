import { builtinModules } from 'node:module';

/** The package of an import specifier: `@scope/name/inner` → `@scope/name`. */
export function nameOfPackage(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Whether a package is part of Node. */
export function isBuiltin(packageName) {
  return packageName.startsWith('node:') || builtinModules.includes(packageName);
}
