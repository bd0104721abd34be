import type { Tokens } from "./auth/tokens.ts";
import type { Core, Permissions } from "./core.ts";
import { showAccount } from "./show/account.ts";
import { showInstallation } from "./show/app.ts";

/** What owners do with the App itself. */
export interface InstallationActs {
  /** Takes the App off: its tokens are worthless, and it finds nothing any more. */
  uninstall(login: string): void;
  /** Grants other permissions; tokens of before keep theirs. */
  grant(permissions: Permissions): void;
  /** Every token is worthless from now on, as when it has expired. */
  revokeTokens(): void;
}

export function openInstallation(core: Core, tokens: Tokens): InstallationActs {
  return {
    uninstall(login) {
      core.app.installed = false;
      tokens.revokeAll();
      core.hooks.emit("installation", "deleted", {
        installation: showInstallation(core),
        repositories: [],
        sender: showAccount(core, login),
      });
    },
    grant(permissions) {
      core.app.permissions = permissions;
    },
    revokeTokens: () => tokens.revokeAll(),
  };
}
