import { readFileSync } from 'node:fs';

interface PackageFile {
  readonly version: string;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const { version, optionalDependencies } = readPackageFile();

/** The version of this program, as its package states it. */
export const TOOL_VERSION = version;

/** The packages that can be left out of an installation, each with the version that is right for this program. */
export const OPTIONAL_PACKAGES: ReadonlyMap<string, string> = new Map(
  Object.entries(optionalDependencies),
);

function readPackageFile(): PackageFile {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return JSON.parse(text) as PackageFile;
}
