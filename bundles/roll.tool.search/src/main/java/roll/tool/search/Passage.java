package roll.tool.search;

/**
 * What is found as a whole.
 *
 * @param title may be empty
 */
record Passage(String title, String text) {}
