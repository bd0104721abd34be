import { generateKeyPairSync, randomBytes } from "node:crypto";

/** Takes the manifest that a set-up page posts, and sends the person back with a code, as GitHub does after "Create". */
export function takeManifest(
  url: string,
  form: URLSearchParams,
  state: string | null,
  remember: (code: string, app: object) => void,
): { readonly location: string } | { readonly problem: string } {
  const manifest = JSON.parse(form.get("manifest") ?? "{}") as {
    name?: string;
    redirect_url?: string;
    hook_attributes?: { url?: string };
  };
  if (manifest.redirect_url === undefined) return { problem: "redirect_url is missing" };
  if (manifest.hook_attributes?.url === undefined) return { problem: "hook_attributes.url is missing" };
  const code = randomBytes(10).toString("hex");
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const name = manifest.name ?? "gavel";
  remember(code, {
    id: 4242,
    slug: name,
    name,
    client_id: "Iv1.0000000000000000",
    client_secret: randomBytes(20).toString("hex"),
    webhook_secret: randomBytes(20).toString("hex"),
    pem: privateKey,
    html_url: `${url}/apps/${name}`,
  });
  const back = new URL(manifest.redirect_url);
  back.searchParams.set("code", code);
  if (state !== null) back.searchParams.set("state", state);
  return { location: back.href };
}
