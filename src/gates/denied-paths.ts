import picomatch from "picomatch";

interface DeniedPaths {
  /** What these files are, for the person who reads the breach. */
  readonly what: string;
  readonly globs: readonly string[];
}

/** What an agent never changes in a repository, whatever the configuration says (security.md, rule 4). */
const builtIn: readonly DeniedPaths[] = [
  { what: "a workflow", globs: [".github/workflows/**", ".github/workflows"] },
  { what: "Gavel's own configuration", globs: [".github/gavel*", ".github/gavel*/**"] },
  { what: "the list of code owners", globs: ["CODEOWNERS", ".github/CODEOWNERS", "docs/CODEOWNERS"] },
  {
    what: "an agent's settings",
    globs: [
      "**/.{claude,codex,gemini,opencode,cursor}",
      "**/.{claude,codex,gemini,opencode,cursor}/**",
      "**/opencode.json*",
      "**/.mcp.json",
      "**/.aider*",
      "**/.aider*/**",
    ],
  },
  { what: "a hook", globs: ["**/.{husky,githooks}", "**/.{husky,githooks}/**", "**/.pre-commit-config.yaml"] },
];

/** Git's own files. Those that only say what belongs in the repository are the change's to decide. */
const gitFiles = { what: "a setting of git", globs: ["**/.git*", "**/.git/**"] };
const gitFilesAllowed = ["**/.gitignore", "**/.gitattributes", "**/.gitkeep", "**/.git-blame-ignore-revs", ".github"];

// A file system that ignores case takes `.GitHub/Workflows` for the real one.
const options = { dot: true, nocase: true };
const rows = [
  ...builtIn.map(({ what, globs }) => ({ what, matches: picomatch([...globs], options) })),
  { what: gitFiles.what, matches: picomatch([...gitFiles.globs], { ...options, ignore: gitFilesAllowed }) },
];

/** What a path is that nobody but a person may change; null where it may be changed. */
export function findDenied(path: string): string | null {
  return rows.find(({ matches }) => matches(path))?.what ?? null;
}

/** Whether one of the configuration's globs names the path. */
export function matchesAny(globs: readonly string[], path: string): boolean {
  return globs.length > 0 && picomatch([...globs], options)(path);
}
