/** The version of this program; a test holds it to package.json, which the bundle does not carry along. */
export const version = "0.1.0";
