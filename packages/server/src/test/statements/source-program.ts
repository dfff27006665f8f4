import { join } from 'node:path';
import ts from 'typescript';

/** A program of all sources of a package. */
export function createSourceProgram(packageFolder: string): ts.Program {
  const path = join(packageFolder, 'tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, packageFolder);
  return ts.createProgram(fileNames, options);
}

/** Whether a source file is part of the server, and not of its tests. */
export function isProductSource(path: string): boolean {
  return !/\.(test|fixtures)\.ts$|\/test\//.test(path);
}

/** All nodes of a kind in a file, in the order of the text. */
export function nodesIn<T extends ts.Node>(source: ts.Node, isWanted: (node: ts.Node) => node is T): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    if (isWanted(node)) found.push(node);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
