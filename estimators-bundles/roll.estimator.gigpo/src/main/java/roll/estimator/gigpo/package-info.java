/** Advantages of group-in-group policy optimization. */
@NullMarked
package roll.estimator.gigpo;

import org.jspecify.annotations.NullMarked;
