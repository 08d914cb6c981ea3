package roll.tool.search;

/**
 * A unit of search results.
 *
 * @param title the title, possibly empty
 */
record Passage(String title, String text) {}
