/** The keys with their types and defaults, and the check of a tree against them. */
@NullMarked
package roll.config.schema;

import org.jspecify.annotations.NullMarked;
