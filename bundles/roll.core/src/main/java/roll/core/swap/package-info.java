/** Replacing plugins between two steps, and handling external requests to a run. */
@NullMarked
package roll.core.swap;

import org.jspecify.annotations.NullMarked;
