import type { Limits } from "../api/limits.ts";
import type { RouteTable } from "../api/route-table.ts";
import type { ManifestCodes } from "../manifest.ts";
import { appRoutes } from "./app.ts";
import { checkRoutes } from "./checks.ts";
import { commentRoutes } from "./comments.ts";
import { commitRoutes } from "./commits.ts";
import { contentRoutes } from "./contents.ts";
import { deliveryRoutes } from "./deliveries.ts";
import { generalRoutes } from "./general.ts";
import { gitDataRoutes } from "./git-data.ts";
import { issueRoutes } from "./issues.ts";
import { labelRoutes } from "./labels.ts";
import { pullRoutes } from "./pulls.ts";
import { reactionRoutes } from "./reactions.ts";
import { refRoutes } from "./refs.ts";
import { repositoryRoutes } from "./repository.ts";
import { reviewRoutes } from "./reviews.ts";
import { statusRoutes } from "./statuses.ts";
import { timelineRoutes } from "./timeline.ts";

/** All routes that the world serves. */
export function makeRoutes(limits: Limits, codes: ManifestCodes): RouteTable {
  return {
    ...generalRoutes(limits, codes),
    ...appRoutes,
    ...deliveryRoutes,
    ...repositoryRoutes,
    ...contentRoutes,
    ...commitRoutes,
    ...gitDataRoutes,
    ...refRoutes,
    ...issueRoutes,
    ...commentRoutes,
    ...labelRoutes,
    ...reactionRoutes,
    ...timelineRoutes,
    ...pullRoutes,
    ...reviewRoutes,
    ...checkRoutes,
    ...statusRoutes,
  };
}
