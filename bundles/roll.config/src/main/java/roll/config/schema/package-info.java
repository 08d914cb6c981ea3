/** The keys there are, their types and defaults; a tree checked against them. */
@NullMarked
package roll.config.schema;

import org.jspecify.annotations.NullMarked;
