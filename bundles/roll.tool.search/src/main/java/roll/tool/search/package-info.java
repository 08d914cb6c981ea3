/** The tool {@code search}: full-text search in files, by Lucene. */
@NullMarked
package roll.tool.search;

import org.jspecify.annotations.NullMarked;
