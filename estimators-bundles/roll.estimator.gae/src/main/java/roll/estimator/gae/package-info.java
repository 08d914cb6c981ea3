/** Generalized advantage estimation. */
@NullMarked
package roll.estimator.gae;

import org.jspecify.annotations.NullMarked;
