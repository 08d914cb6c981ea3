/** Tests of sampling. */
@NullMarked
package roll.sampling;

import org.jspecify.annotations.NullMarked;
