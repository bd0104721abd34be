import { isUtf8 } from "node:buffer";

/**
 * A file name or path as git and the kernel see it: bytes, one character each (latin1). Names need not be UTF-8, and
 * one that was decoded and encoded again could become another file's name; so names stay bytes until they are shown.
 */
export type ByteName = string;

const ascii = /^[\p{ASCII}]*$/u;

export function toBytes(name: ByteName): Buffer {
  return Buffer.from(name, "latin1");
}

/** For people and for the domain. Invalid bytes are replaced, so never use the result to find the file again. */
export function toText(name: ByteName): string {
  return ascii.test(name) ? name : toBytes(name).toString("utf8");
}

export function fromText(text: string): ByteName {
  return ascii.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}

/** Whether the name can be written as text, as GitHub's interface needs it. */
export function isTextName(name: ByteName): boolean {
  return ascii.test(name) || isUtf8(toBytes(name));
}

/** Fields of git's `-z` output. */
export function splitNul(output: Buffer): ByteName[] {
  const text = output.toString("latin1");
  if (text === "") return [];
  return (text.endsWith("\0") ? text.slice(0, -1) : text).split("\0");
}

export function parentOf(path: ByteName): ByteName {
  const slash = path.lastIndexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
