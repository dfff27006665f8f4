// Every npm script preloads this file (`node -r`), so that an old Node prints this message instead of a syntax error.
// It uses old syntax for that reason.
'use strict';

var wanted = [20, 19];
var found = process.versions.node.split('.').map(Number);

if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  process.stderr.write(
    '\nTessera needs Node ' +
      wanted.join('.') +
      ' or newer. This is Node ' +
      process.versions.node +
      '.\nInstall a newer one (nodejs.org, or your version manager) and run the same command again.\n\n',
  );
  process.exit(1);
}
