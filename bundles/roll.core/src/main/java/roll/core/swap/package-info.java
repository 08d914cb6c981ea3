/** Replacing plugins between two steps, and the orders that a run is given from outside. */
@NullMarked
package roll.core.swap;

import org.jspecify.annotations.NullMarked;
