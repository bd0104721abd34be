/** Rubrics that a judge can be given; each is a file of src/judges/rubrics (a test holds the two together). */
export const rubricNames = ["correctness", "design", "minimum-diff", "over-engineering", "security", "tests"] as const;
