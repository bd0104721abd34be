import picomatch from "picomatch";

/**
 * Files that decide what a gate's command does, by name, at any depth: runners, linters, compilers, package managers.
 * The base's text is laid over the candidate's, whole.
 */
const definitionGlobs = [
  "**/{Makefile,makefile,GNUmakefile,*.mk}",
  "**/{Taskfile,taskfile}*.{yml,yaml}",
  "**/{justfile,Justfile,.justfile}",
  "**/{Rakefile,noxfile.py,tox.ini,setup.cfg,pytest.ini,.coveragerc,pyproject.toml,.pre-commit-config.yaml}",
  "**/{.flake8,.pylintrc,pylintrc,mypy.ini,.mypy.ini,ruff.toml,.ruff.toml,pyrightconfig.json}",
  "**/{tsconfig,jsconfig}*.json",
  "**/{vitest,vite,jest,playwright,cypress,karma,wdio,ava,babel,rollup,webpack,esbuild,tsup,turbo,nx,lerna}{.config,.workspace,.setup}.*",
  "**/{turbo,nx,lerna,biome,deno,node.config}.json{,c}",
  "**/{.mocharc,.jestrc,.nycrc,.c8rc,.taprc,.swcrc,.babelrc}*",
  "**/eslint.config.*",
  "**/{.eslintrc,.prettierrc,.stylelintrc,.oxlintrc,.oxfmtrc,.markdownlint,.commitlintrc,.lintstagedrc}*",
  "**/{prettier,stylelint,commitlint,lint-staged}.config.*",
  "**/{.eslintignore,.prettierignore,.stylelintignore}",
  "**/{.npmrc,.yarnrc,.yarnrc.yml,.pnpmfile.cjs,bunfig.toml,pnpm-workspace.yaml}",
  "**/{.golangci,.rubocop,.clang-tidy,.clang-format,detekt,checkstyle,phpunit,phpstan,psalm}*",
  "**/{rustfmt,.rustfmt,clippy,.clippy}.toml",
  "**/.cargo/{config,config.toml}",
  "**/{gradlew,mvnw,gradlew.bat,mvnw.cmd}",
];

/** Files that hold a definition beside much else (dependencies, shared fixtures): a change is told, the base's text is not laid over. */
const markGlobs = [
  "**/{pom.xml,build.gradle,build.gradle.kts,settings.gradle,settings.gradle.kts,Cargo.toml,go.mod,go.work,Gemfile,composer.json}",
  "**/conftest.py",
];

const isDefinition = picomatch(definitionGlobs, { dot: true });
const isMark = picomatch(markGlobs, { dot: true });
const isManifest = picomatch("**/package.json", { dot: true });

/** `overlay`: the base's text takes its place. `scripts`: only its defining parts do. `mark`: told, nothing more. */
export type DefinitionKind = "overlay" | "scripts" | "mark";

/** What a path means for gates; null: nothing. */
export function definitionKind(path: string): DefinitionKind | null {
  if (isManifest(path)) return "scripts";
  if (isDefinition(path)) return "overlay";
  return isMark(path) ? "mark" : null;
}
