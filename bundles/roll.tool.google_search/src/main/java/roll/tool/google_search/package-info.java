/** The tool {@code google_search}: asks a search engine of the web. */
@NullMarked
package roll.tool.google_search;

import org.jspecify.annotations.NullMarked;
