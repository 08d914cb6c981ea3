/** Package versions that hold: a plugin of bnd. */
@NullMarked
package roll.baseline;

import org.jspecify.annotations.NullMarked;
