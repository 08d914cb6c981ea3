/** Advantages of GRPO for pass at k: only the best response of a group. */
@NullMarked
package roll.estimator.grpo_passk;

import org.jspecify.annotations.NullMarked;
