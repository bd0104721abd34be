import type { Core } from "../core.ts";
import { fullName, type Repository } from "../state.ts";
import { showAccount } from "./account.ts";
import { apiUrl, type Json, nodeId, webUrl } from "./values.ts";

/** Addresses below a repository, by the name of their field without `_url`. */
const addresses: Readonly<Record<string, string>> = {
  archive: "/{archive_format}{/ref}",
  assignees: "/assignees{/user}",
  blobs: "/git/blobs{/sha}",
  branches: "/branches{/branch}",
  collaborators: "/collaborators{/collaborator}",
  comments: "/comments{/number}",
  commits: "/commits{/sha}",
  compare: "/compare/{base}...{head}",
  contents: "/contents/{+path}",
  contributors: "/contributors",
  deployments: "/deployments",
  downloads: "/downloads",
  events: "/events",
  forks: "/forks",
  git_commits: "/git/commits{/sha}",
  git_refs: "/git/refs{/sha}",
  git_tags: "/git/tags{/sha}",
  hooks: "/hooks",
  issue_comment: "/issues/comments{/number}",
  issue_events: "/issues/events{/number}",
  issues: "/issues{/number}",
  keys: "/keys{/key_id}",
  labels: "/labels{/name}",
  languages: "/languages",
  merges: "/merges",
  milestones: "/milestones{/number}",
  notifications: "/notifications{?since,all,participating}",
  pulls: "/pulls{/number}",
  releases: "/releases{/id}",
  stargazers: "/stargazers",
  statuses: "/statuses/{sha}",
  subscribers: "/subscribers",
  subscription: "/subscription",
  tags: "/tags",
  teams: "/teams",
  trees: "/git/trees{/sha}",
};

/** A repository. GitHub shows it in many lengths; this is the longest but for `parent`, which fits everywhere. */
export function showRepository(core: Core, repository: Repository): Json {
  const openIssues = [...repository.issues.values()].filter((issue) => issue.state === "open").length;
  const web = webUrl(core, repository);
  const at = Object.entries(addresses).map(([name, path]) => [`${name}_url`, apiUrl(core, repository, path)]);
  return {
    id: repository.id,
    node_id: nodeId("Repository", repository.id),
    name: repository.name,
    full_name: fullName(repository),
    private: repository.isPrivate,
    visibility: repository.isPrivate ? "private" : "public",
    owner: showAccount(core, repository.owner),
    html_url: web,
    url: apiUrl(core, repository),
    ...(Object.fromEntries(at) as Json),
    git_url: `git://${new URL(core.url).host}/${fullName(repository)}.git`,
    ssh_url: `git@${new URL(core.url).hostname}:${fullName(repository)}.git`,
    clone_url: `${web}.git`,
    svn_url: web,
    mirror_url: null,
    homepage: null,
    description: null,
    fork: repository.parent !== null,
    archived: repository.archived,
    disabled: false,
    default_branch: repository.defaultBranch,
    created_at: repository.createdAt,
    updated_at: repository.pushedAt,
    pushed_at: repository.pushedAt,
    size: 0,
    language: null,
    license: null,
    topics: [],
    is_template: false,
    web_commit_signoff_required: false,
    allow_forking: true,
    has_issues: true,
    has_projects: false,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: openIssues,
    open_issues_count: openIssues,
  };
}

/** With what only the repository's own route adds. */
export function showFullRepository(core: Core, repository: Repository): Json {
  return {
    ...showRepository(core, repository),
    temp_clone_token: null,
    network_count: 0,
    subscribers_count: 0,
    ...(repository.parent === null
      ? {}
      : { parent: showRepository(core, repository.parent), source: showRepository(core, repository.parent) }),
  };
}
