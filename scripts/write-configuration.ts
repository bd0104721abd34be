import { writeFileSync } from "node:fs";
import { configurationPage } from "./configuration-page.ts";

/** `node scripts/write-configuration.ts`: writes docs/configuration.md anew; a test tells when that is due. */
writeFileSync(new URL("../docs/configuration.md", import.meta.url), configurationPage());
